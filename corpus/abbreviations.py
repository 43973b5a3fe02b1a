"""Words that tell a full stop of an abbreviation from the end of a sentence.

All words are casefolded and without their last full stop. The lists are about
scientific abstracts in English; ``corpus.sentences`` says how each is used.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Something always follows these, so their full stop never ends a sentence.
NEVER_FINAL = _words(
    """e.g i.e cf vs viz eg ie c.f v.s dr prof mr mrs ms hon messrs approx ca
    resp incl excl esp aka a.k.a st mt ft w.r.t subsp ssp var subgen cv pv bv"""
)

# Their full stop belongs to the number or letter behind them.
BEFORE_NUMBER = _words(
    """no nos nr fig figs eq eqs eqn eqns ref refs tab tabs vol vols ch chap sect
    sec suppl supp ex art para p pp par pt pts ver v n op app add theor prop lem
    jan feb mar apr jun jul aug sep sept oct nov dec exp obs"""
)

# They end a sentence where a word follows that commonly starts one.
MAYBE_FINAL = _words(
    """al etc sp spp inc ltd co corp llc gmbh plc univ dept inst assoc bros ed eds
    jr sr ph.d m.d d.phil m.sc b.sc m.p.h a.m p.m et.al ibid anon trans nov gen
    u.s u.k e.u u.n u.s.a i.v i.p s.c i.m p.o b.i.d t.i.d q.d q.i.d s.d s.e s.e.m
    n.s n.d conc temp max min avg wt mol misc est abbr def syn hyb pers comm unpubl"""
)

# Units end a sentence as any other word does, but their full stop can also be a
# mere abbreviation mark before a small letter.
UNITS = _words(
    """mg kg g ng pg ug µg μg ml dl l ul µl μl nl mm cm m km nm um µm μm mol mmol
    nmol µmol μmol pmol mosm hz khz mhz ghz s sec secs min mins h hr hrs d wk wks
    mo mos yr yrs y lb lbs oz in ft cc iu u mmhg kcal cal kj j w mw kw v mv ma bpm
    rpm kda da bp kb mb gb ppm ppb °c °f k pa kpa mpa"""
)

# A single capital letter behind one of these is a name, not an initial.
LETTER_NAMES = _words(
    """vitamin vitamins hepatitis type types group groups class grade stage stages
    influenza protein proteins factor arm arms phase cohort panel panels site
    coenzyme cyclosporin cyclosporine amphotericin immunoglobulin apolipoprotein
    strain region zone serotype subtype serogroup genotype haplotype appendix
    figure table chain domain ward score category option part model plan condition
    hospital study trial diet variant clade haemophilia hemophilia
    blood botulinum toxin neurotoxin"""
)

# Words that commonly start a sentence and seldom a name.
STARTERS = _words(
    """the a an in we our this these that those it its they their there he she his
    her to for of on at by with without from as after before during when while
    whereas although though however moreover furthermore additionally thus
    therefore hence here both all most many some several few no none not one two
    three four five six seven eight nine ten each every either neither among
    amongst between within across over under because since if unless until once
    results methods conclusions conclusion background objective objectives aim aims
    purpose patients participants children women men adults subjects mice rats
    cells finally overall compared using based similarly conversely recently
    further also only such what which who whether how why is are was were do does
    did can could may might should would given despite unlike together taken
    interestingly importantly notably surprisingly consistent consistently first
    second third secondly thirdly data analysis analyses multivariate median mean
    currently previous previously nevertheless nonetheless then than through
    throughout upon via against about according another any more less much other
    others same so still yet nobody nothing everyone everybody somebody someone"""
)

# Headings of structured abstracts, which stay with the sentence behind them.
HEADINGS = frozenset(
    line.strip()
    for line in """background|introduction|context|rationale|importance|objective
    |objectives|aim|aims|purpose|hypothesis|goal|goals|methods|method|design
    |study design|materials and methods|methods and materials|patients and methods
    |subjects and methods|methods and results|methods and findings|methodology
    |setting|settings|participants|patients|subjects|population|intervention
    |interventions|exposure|exposures|main outcome measures|main outcome measure
    |main outcomes and measures|outcome measures|measurements|measures|data sources
    |data source|study selection|data extraction|data synthesis|search strategy
    |selection criteria|result|results|findings|main results|principal findings
    |results and discussion|discussion|conclusion|conclusions|interpretation
    |conclusions and relevance|conclusion and relevance|significance|limitations
    |funding|trial registration|registration|implications|summary|abstract
    |keywords|key words|background and aims|background and objectives
    |aims and objectives|conclusions and implications|author summary
    |authors' conclusions|clinical significance|practical implications""".replace(
        "\n", ""
    ).split("|")
)

# Short ordinary words that nupunkt's model, trained on legal text, takes for
# abbreviations. Its longer ordinary words are dropped by their length.
ORDINARY = _words(
    """all can how low met ill fed day ten leg add bed per so cap in a or an at nor
    ago sun wed sat map arm age act end use set two six men eye ear hip lip gut fat
    tax war law pay age bar cat dog pig rat hen fly bee sea ice air oil gas"""
)
