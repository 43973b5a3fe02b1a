"""The words by which a question is turned into a hypothesis. Pure data."""

from __future__ import annotations

from annotation.claim_words import BASE_VERBS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FURTHER_VERBS = _words(
    """
    adopt allow amplify appear arise associate become begin believe benefit bind carry
    change come confer convert correlate create credit deepen depend deter develop die
    differ discourage drink drive drop eat effect emerge enable encourage erode exceed
    exist experience explain expose express face fail fall feel follow foster
    gain get give go grow have help impact influence introduce invade involve isolate
    keep kill know lag lead learn leave live lose make matter mean migrate moderate
    mutate need occur outperform outweigh perform persist play polarize predispose
    provide pay push rate reach react recover reflect relate rely remain replace report
    respond result reveal rise run see seem sell serve shape share shift show
    shrink sleep smoke speed spend start stay stop strain suffer support survive take
    think tend transmit treat vary want widen work yield hurt spur undermine
    """
)
THIRD_PERSON = {"have": "has", "go": "goes", "do": "does", "be": "is"}
VERBS = BASE_VERBS | _FURTHER_VERBS | _words("has causes increases reduces affects use")
# Verbs that are nouns at least as often.
OFTEN_NOUNS = _words(
    """
    change credit drink drop experience face feel gain kill limit need pay play push
    rate report rise run shape share shift sleep smoke speed start stay stop strain
    support use work yield
    """
)

# Past forms that do not end in "-ed", to their base.
PAST = {
    "became": "become", "began": "begin", "begun": "begin", "brought": "bring",
    "came": "come", "cut": "cut", "drank": "drink", "drove": "drive", "driven": "drive",
    "ate": "eat", "fell": "fall", "fallen": "fall", "felt": "feel", "got": "get",
    "gave": "give", "given": "give", "went": "go", "gone": "go", "grew": "grow",
    "grown": "grow", "had": "have", "kept": "keep", "led": "lead", "left": "leave",
    "lost": "lose", "made": "make", "meant": "mean", "paid": "pay", "risen": "rise",
    "rose": "rise", "ran": "run", "saw": "see", "seen": "see", "sold": "sell",
    "slept": "sleep", "spent": "spend", "spread": "spread", "took": "take",
    "taken": "take", "thought": "think", "known": "know", "hurt": "hurt",
    "knew": "know", "shown": "show", "bound": "bind", "shrank": "shrink",
    "been": "be",
}  # fmt: skip

PLURALS = _words(
    """
    people children men women teens mice police adolescents teenagers criteria
    phenomena bacteria feet teeth youths parents
    """
)
SINGULARS = _words(
    """
    media data news diabetes obesity abuse illness stress politics physics measles
    covid sars aids analysis virus access process diagnosis tuberculosis series lens
    """
)
PREPOSITIONS = _words(
    """
    of in on at for with from to by among between during after before without within
    under over against about through across per than as
    """
)
ADVERBS = _words("also still more less not most least very too quite so always never")

# What a subject "is": the word with which the predicate begins.
PREDICATES = _words(
    """
    able absent accurate active addicted adequate affected alike associated
    attributable available aware bad based beneficial better biased capable causal
    caused cheaper common comparable compatible connected consistent contagious
    correlated cost-effective dangerous declining decreasing dependent derived
    detectable determined different distinct driven due effective efficacious
    elevated endemic equal equivalent essential explained exposed expressed fast
    faster fatal feasible fewer free frequent genetic good growing happier harmful
    harmless healthier healthy helpful hereditary heritable high higher identical
    impaired important impossible improved inaccurate increasing independent
    ineffective inferior influenced inherited involved irreversible isolated known
    less lethal like likely linked lonelier lower mediated moderated more necessary
    needed negative older possible predicted predictive predictors present prevalent
    preventable prone protected protective reduced related reliable representative
    required resistant responsible reversible rising safe safer sensitive shaped
    shorter significant similar slower smaller specific stable stronger sufficient
    suitable superior susceptible taller tied toxic transmissible transmitted
    triggered unaffected underestimated unlikely unrelated unsafe useful valid
    vulnerable weaker worse worth younger
    """
)
