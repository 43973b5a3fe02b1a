"""The addresses of the API, below ``/api/v1/``."""

from __future__ import annotations

from django.urls import URLPattern, path

from annotation.api import (
    agreement,
    articles,
    claims,
    jobs,
    judgements,
    library,
    people,
    projects,
    transfers,
)
from annotation.api.docs import ApiDescription
from corpus.api import ApiView

app_name = "api"


def _in_project(address: str, view: type[ApiView], name: str) -> URLPattern:
    return path(f"projects/<slug:slug>/{address}", view.as_view(), name=name)


def _in_corpus(address: str, view: type[ApiView], name: str) -> URLPattern:
    return path(f"corpora/<slug:slug>/{address}", view.as_view(), name=name)


urlpatterns: list[URLPattern] = [
    path("schema", ApiDescription.as_view(), name="schema"),
    path("me", people.Me.as_view(), name="me"),
    path("me/data", people.MyData.as_view(), name="my_data"),
    path("me/tokens", people.TokenList.as_view(), name="tokens"),
    path("me/tokens/<int:token_id>", people.TokenDetail.as_view(), name="token"),
    path("invitations", people.InvitationUse.as_view(), name="use_invitation"),
    path("projects", projects.ProjectList.as_view(), name="projects"),
    path("projects/<slug:slug>", projects.ProjectDetail.as_view(), name="project"),
    _in_project("archive", projects.ProjectArchive, "archive"),
    _in_project("guidelines", projects.GuidelineList, "guidelines"),
    _in_project("consent-texts", projects.ConsentTextList, "consent_texts"),
    _in_project("acceptances", projects.AcceptanceList, "acceptances"),
    _in_project("members", people.MemberList, "members"),
    _in_project("members/<int:member_id>", people.MemberDetail, "member"),
    _in_project("invitations", people.InvitationList, "invitations"),
    _in_project(
        "invitations/<int:invitation_id>", people.InvitationDetail, "invitation"
    ),
    _in_project("next/write", claims.NextToWrite, "next_to_write"),
    _in_project("next/verify", judgements.NextToVerify, "next_to_verify"),
    _in_project("waiting/claims", claims.ClaimsToProofread, "claims_to_proofread"),
    _in_project(
        "waiting/judgements", judgements.JudgementsToReview, "judgements_to_review"
    ),
    _in_project("sources", claims.SourceList, "sources"),
    _in_project("sources/<int:source_id>", claims.SourceDetail, "source"),
    _in_project("sources/<int:source_id>/claims", claims.SourceClaims, "source_claims"),
    _in_project("sources/<int:source_id>/skip", claims.SourceSkip, "skip_source"),
    _in_project("claims", claims.ClaimList, "claims"),
    _in_project("claims/<int:claim_id>", claims.ClaimDetail, "claim"),
    _in_project(
        "claims/<int:claim_id>/versions", claims.ClaimVersions, "claim_versions"
    ),
    _in_project("claims/<int:claim_id>/reviews", claims.ClaimReviews, "claim_reviews"),
    _in_project(
        "claims/<int:claim_id>/disagreement",
        claims.ClaimDisagreement,
        "claim_disagreement",
    ),
    _in_project("claims/<int:claim_id>/retire", claims.ClaimRetirement, "retire_claim"),
    _in_project("pairs", judgements.PairList, "pairs"),
    _in_project("pairs/<int:pair_id>", judgements.PairDetail, "pair"),
    _in_project(
        "pairs/<int:pair_id>/judgements", judgements.PairJudgements, "pair_judgements"
    ),
    _in_project("judgements", judgements.JudgementList, "judgements"),
    _in_project(
        "judgements/<int:judgement_id>", judgements.JudgementDetail, "judgement"
    ),
    _in_project(
        "judgements/<int:judgement_id>/versions",
        judgements.JudgementVersions,
        "judgement_versions",
    ),
    _in_project(
        "judgements/<int:judgement_id>/reviews",
        judgements.JudgementReviews,
        "judgement_reviews",
    ),
    _in_project(
        "judgements/<int:judgement_id>/disagreement",
        judgements.JudgementDisagreement,
        "judgement_disagreement",
    ),
    _in_project("agreement", agreement.Agreement, "agreement"),
    _in_project("checks", transfers.ClaimsChecks, "claims_checks"),
    _in_project("exports", transfers.ClaimsExports, "claims_exports"),
    path("corpora", library.CorpusList.as_view(), name="corpora"),
    path("corpora/<slug:slug>", library.CorpusDetail.as_view(), name="corpus"),
    _in_corpus("documents", library.DocumentList, "documents"),
    _in_corpus("documents/<int:document_id>", library.DocumentDetail, "document"),
    _in_corpus(
        "documents/<int:document_id>/text", library.DocumentText, "document_text"
    ),
    _in_corpus(
        "documents/<int:document_id>/boundaries",
        library.DocumentBoundaries,
        "document_boundaries",
    ),
    _in_corpus("missing", library.MissingAbstracts, "missing_abstracts"),
    _in_corpus("doubtful", library.DoubtfulBoundaries, "doubtful_boundaries"),
    _in_corpus("articles", articles.ArticleList, "articles"),
    _in_corpus("articles/<int:article_id>", articles.ArticleDetail, "article"),
    _in_corpus("checks", transfers.CorpusChecks, "corpus_checks"),
    _in_corpus("exports", transfers.CorpusExports, "corpus_exports"),
    path("formats", transfers.FormatList.as_view(), name="formats"),
    path("imports", transfers.ImportList.as_view(), name="imports"),
    path("jobs", jobs.JobList.as_view(), name="jobs"),
    path("jobs/<str:token>", jobs.JobDetail.as_view(), name="job"),
    path("files", jobs.FileList.as_view(), name="files"),
    path("files/<str:token>", jobs.FileDetail.as_view(), name="file"),
    path("files/<str:token>/columns", transfers.FileColumns.as_view(), name="columns"),
    path("files/<str:token>/content", jobs.FileContent.as_view(), name="file_content"),
    path("<path:rest>", projects.UnknownEndpoint.as_view(), name="unknown"),
]
