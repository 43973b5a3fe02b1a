"""Projects, people in them, and the path of a data point."""

from annotation.models.adjudications import Adjudication
from annotation.models.claims import Claim, ClaimCitation, ClaimVersion, Split
from annotation.models.drafts import Draft
from annotation.models.early_answers import EarlyAnswer
from annotation.models.judgements import (
    Judgement,
    JudgementVersion,
    Pair,
    Rationale,
    Verdict,
)
from annotation.models.leases import Lease, Skip
from annotation.models.notices import Notice
from annotation.models.oversight import BulkAction, SavedFilter
from annotation.models.preferences import Flag, KeySettings
from annotation.models.projects import (
    Acceptance,
    ConsentText,
    Guideline,
    Invitation,
    Membership,
    Project,
    Stage,
)
from annotation.models.reannotation import ReannotationSample, SampledPair
from annotation.models.reviews import Comment, Disagreement, Review
from annotation.models.sources import Question, Source, Study
from annotation.models.suggestions import Suggestion, SuggestionOffer
from annotation.models.time import TaskTime, WorkSession

__all__ = [
    "Acceptance",
    "Adjudication",
    "BulkAction",
    "Claim",
    "ClaimCitation",
    "ClaimVersion",
    "Comment",
    "ConsentText",
    "Disagreement",
    "Draft",
    "EarlyAnswer",
    "Flag",
    "Guideline",
    "Invitation",
    "Judgement",
    "JudgementVersion",
    "KeySettings",
    "Lease",
    "Membership",
    "Notice",
    "Pair",
    "Project",
    "Question",
    "Rationale",
    "ReannotationSample",
    "Review",
    "SampledPair",
    "SavedFilter",
    "Skip",
    "Source",
    "Split",
    "Stage",
    "Study",
    "Suggestion",
    "SuggestionOffer",
    "TaskTime",
    "Verdict",
    "WorkSession",
]
