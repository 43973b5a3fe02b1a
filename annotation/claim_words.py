"""The words that the checks of a claim look for. Pure data, in plain sight.

Names of genes and proteins are names, not abbreviations that a reader expects to
be written out; so are abbreviations that everybody in the field reads as a word.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


EVERYDAY_ACRONYMS = _words(
    """
    US USA UK EU UN UAE NY DC AM PM BC AD TV PC IT IQ OK NHS NIH CDC WHO FDA EMA
    NASA NATO UNICEF UNESCO OECD HIV AIDS DNA RNA SARS MERS COVID PCR MRI CT ECG EEG
    ICU BMI UV UVA UVB IV PH GDP CO NO OH CEO ID FAQ HTTP URL GPS SMS SOS LED
    DDT TNT LSD MDMA THC CBD PTSD ADHD BCG HPV HBV HCV HSV CMV EBV RSV STD STI
    LGBT LGBTQ BBC CNN ABO GABA GMO HTML AI SNP SNPS GWAS CRISPR ELISA USSR SAT
    PHD MD VS II III IIA IIB IVF VI VII VIII IX XI XII ATP ADP AMP GTP GDP NAD NADH
    NADP NADPH FAD CAMP CGMP LDL HDL MRNA TRNA SIRNA MIRNA UTR ORF CNS PNS
    """
)

GENE_AND_PROTEIN_NAMES = _words(
    """
    AKT ALK AMPK APC APOE APOB APP AR ATM ATR ATRX AURKA AXL BAX BAK BCL BDNF BID
    BIM BLM BMP BRAF BRCA BTK CASP CBL CBP CCR CD CDK CFTR CGAS CHEK CHK CHOP CREB CRP
    CSF CTCF CTLA CXCL CXCR DEXI DGKK DICER DLL DMD DNMT DPP EGF EGFR EIF EPO EPHA ER
    ERBB ERG ERK ESR EZH FAK FAS FASL FGF FGFR FLT FMR FN FOS FOX FOXA FOXO FOXP FTO
    FUS GAPDH GATA GCN GDF GDNF GFAP GFP GLP GLUT GSK HAND HDAC HER HGF HIF HLA HMGB
    HMGA HNF HOX HOXA HOXB HRAS HSF HSP HTT ICAM ICOS IDH IDO IFN IFNA IFNB IFNG IGF
    IGG IGE IGA IGM IKK IL INS INSR IRE IRF IRS ITAM ITIM JAK JAM JNK JUN KEAP KIT
    KLF KRAS LAG LDLR LIF LIN LKB LMNA LPS LRBA LRP LRRK MAF MAPK MAVS MAX MCL MCM MDM
    MEF MEK MET MGMT MHC MICAL MITF MLH MLL MMP MPO MRE MSH MTHFR MTOR MUC MYB MYC
    MYD MYH NANOG NCAM NEMO NF NFKB NFAT NGF NKG NLRP NMDA NOD NOX NPC NPM NRAS NRF
    NTRK OCT OPG OSBP PAAR PAK PAI PARP PAX PCNA PCSK PD PDGF PDGFR PDK PDPN PERK PGC
    PGE PGK PHD PI PIK PIM PINK PKA PKB PKC PKD PKG PKM PKR PLC PLK PML POT PPAR PPARA
    PPARG PRC PRKN PSA PTCH PTEN PTPN PTPRS PUMA RAB RAC RAD RAF RAG RAN RANK RANKL RARA
    RAS RB REL RELA RET RHO RIG RIP RIPK ROCK ROR RORC RPA RPS RPTOR RUNX SDHA SGK SHH
    SHP SIR SIRT SLC SMAD SMO SMN SNAI SNAP SNCA SNF SOD SOX SPARC SRC SREBP SRF SSB
    STAT STING STK SUMO SWI SYK TAL TARDBP TAU TAZ TBK TBP TCF TEAD TERC TERT TET TFEB
    TGF TIGIT TIM TLR TMEM TNF TNFR TOR TP TRAF TRAIL TRAP TREM TREX TRF TRIM TRP TRPV
    TSC TSH TSP TTN TWIST TYK UCP USP VCAM VEGF VEGFA VEGFR VHL VIM WNT WT XBP XIST
    YAP ZEB ZIKV ACE AGT ALDH ALT AST CARD ASC AIRE COPI COPII PRR TCR BCR EGR
    """
)

KNOWN_ACRONYMS = EVERYDAY_ACRONYMS | GENE_AND_PROTEIN_NAMES

# Words beside an abbreviation that say that it is the name of a molecule or strain.
NAME_BEFORE = _words(
    """
    gene genes protein proteins receptor receptors kinase enzyme factor antigen allele
    antibody transcription locus strain hormone domain complex inhibitor mutant variant
    anti
    """
)
NAME_AFTER = _words(
    """
    gene genes protein proteins receptor receptors kinase kinases enzyme enzymes allele
    alleles locus loci mutation mutations mutant mutants variant variants expression
    signaling signalling pathway pathways transcription promoter promoters knockdown
    knockout knockouts deficiency deficient overexpression phosphorylation activation
    activity inhibitor inhibitors ligand ligands domain domains motif motifs antibody
    antibodies antigen antigens mrna isoform isoforms polymorphism polymorphisms null
    silencing homolog homologue ortholog binding transporter channel channels subunit
    complex complexes transcripts haplotype haplotypes haploinsufficiency degradation
    ubiquitination acetylation methylation deletion agonist agonists antagonist
    antagonists mice
    """
)

# What a few common abbreviations stand for: shown as a proposal, in the warning.
EXPANSIONS = {
    "CVD": "cardiovascular disease",
    "CHD": "coronary heart disease",
    "CAD": "coronary artery disease",
    "COPD": "chronic obstructive pulmonary disease",
    "CKD": "chronic kidney disease",
    "AKI": "acute kidney injury",
    "MI": "myocardial infarction",
    "AMI": "acute myocardial infarction",
    "RA": "rheumatoid arthritis",
    "SLE": "systemic lupus erythematosus",
    "MS": "multiple sclerosis",
    "ALS": "amyotrophic lateral sclerosis",
    "AD": "Alzheimer's disease",
    "PD": "Parkinson's disease",
    "IBD": "inflammatory bowel disease",
    "IBS": "irritable bowel syndrome",
    "MDD": "major depressive disorder",
    "OCD": "obsessive-compulsive disorder",
    "ASD": "autism spectrum disorder",
    "TBI": "traumatic brain injury",
    "ARDS": "acute respiratory distress syndrome",
    "RCT": "randomised controlled trial",
    "SSRI": "selective serotonin reuptake inhibitor",
    "NSAID": "non-steroidal anti-inflammatory drug",
    "HCQ": "hydroxychloroquine",
    "PPE": "personal protective equipment",
    "IFR": "infection fatality rate",
    "CFR": "case fatality rate",
    "NPI": "non-pharmaceutical intervention",
    "SES": "socioeconomic status",
    "SNS": "social networking site",
    "FOMO": "fear of missing out",
    "PIU": "problematic internet use",
    "IGD": "internet gaming disorder",
    "BBB": "blood-brain barrier",
    "ROS": "reactive oxygen species",
    "HSC": "haematopoietic stem cell",
    "MSC": "mesenchymal stem cell",
    "VTE": "venous thromboembolism",
    "DVT": "deep vein thrombosis",
    "UTI": "urinary tract infection",
    "GERD": "gastro-oesophageal reflux disease",
    "NAFLD": "non-alcoholic fatty liver disease",
    "PCOS": "polycystic ovary syndrome",
    "ART": "antiretroviral therapy",
    "ACS": "acute coronary syndrome",
    "HF": "heart failure",
    "AF": "atrial fibrillation",
    "T2D": "type 2 diabetes",
    "T2DM": "type 2 diabetes mellitus",
    "T1D": "type 1 diabetes",
}

# Verbs that state a finding, in their base form.
_FINDING_VERBS = _words(
    """
    abolish accelerate accumulate activate affect aggravate alleviate alter
    ameliorate attenuate augment avoid block boost bring cause compromise contribute
    curb cut damage decrease delay deplete destabilize diminish disrupt downregulate
    eliminate elevate enhance exacerbate facilitate halve harm heighten hinder
    impair improve increase induce inhibit interfere lengthen lessen limit lower
    maintain mediate mitigate modulate overexpress potentiate predict prevent
    produce prolong promote protect raise recruit reduce regulate repress require
    restore restrict reverse shorten slow spread stabilize stimulate strengthen
    suppress sustain trigger undermine upregulate weaken worsen
    confer ease kill phosphorylate relieve shrink widen
    """
)

# Both a verb of findings and, just as often, a noun.
NOUN_LIKE_VERBS = _words(
    """
    increases decreases causes limits delays damages cuts boosts blocks harms slows
    increase decrease cause limit delay damage cut boost block harm spread spreads
    triggers trigger lower slow
    """
)


def _third_person(verb: str) -> str:
    if verb.endswith(("sh", "ch", "s", "x", "z")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def _past(verb: str) -> str:
    irregular = {"bring": "brought", "cut": "cut", "spread": "spread"}
    if verb in irregular:
        return irregular[verb]
    return verb + ("d" if verb.endswith("e") else "ed")


BASE_VERBS = frozenset(_FINDING_VERBS)
THIRD_PERSON_VERBS = frozenset(map(_third_person, _FINDING_VERBS)) | {
    "leads", "results", "doubles", "triples", "correlates", "kills", "binds",
}  # fmt: skip
PAST_VERBS = frozenset(map(_past, _FINDING_VERBS)) | {
    "led", "resulted", "doubled", "tripled", "correlated", "killed", "bound",
}  # fmt: skip


def _gerund(verb: str) -> str:
    if verb.endswith("e"):
        return verb[:-1] + "ing"
    return verb + ("ting" if verb == "cut" else "ing")


GERUNDS = frozenset(map(_gerund, _FINDING_VERBS))
COPULAS = _words("is are was were has have had does do did can cannot")
ANY_FINDING = THIRD_PERSON_VERBS | PAST_VERBS | BASE_VERBS
# What may follow a number that nothing is counted in.
NOT_UNITS = _words(
    """
    in and or when for on with after during compared among than at by from if versus
    vs but to twice daily
    """
)
