# ruff: noqa: E501
"""The lines of the API, read as those of ``table.py``.

Everybody but ``anon`` comes with a token that has every scope, so that the cells are
those of the pages: what a narrower token may do is tested in tests/annotation/api.
No token is 401 where a page would lead to the sign-in; texts that wait to be accepted
are 403.
"""

from __future__ import annotations

API_PERMISSIONS = """
# address                method objects                                          anon outs read anno othr revi admn xadm susp newc supr

# --- the description, and oneself ---
api_docs                 GET    -                                                200  200  200  200  200  200  200  200  200  200  200
api:schema               GET    -                                                200  200  200  200  200  200  200  200  200  200  200
api:me                   GET    -                                                401  200  200  200  200  200  200  200  200  200  200
api:tokens               GET    -                                                401  200  200  200  200  200  200  200  200  200  200
# A token makes no tokens; tests/annotation/api makes one with a session.
api:tokens               POST   -                                                401  403  403  403  403  403  403  403  403  403  403
api:token                DELETE token_id=A.token                                 401  404  404  204  404  404  404  404  404  404  404
api:token                DELETE token_id=B.token                                 401  404  404  404  404  404  404  404  404  404  404
# The link of project A: members stay what they are, the suspended one is told so.
api:use_invitation       POST   -                                                401  200  200  200  200  200  200  200  409  200  200
api:unknown              GET    rest=no/such/thing                               404  404  404  404  404  404  404  404  404  404  404
api:unknown              POST   rest=no/such/thing                               404  404  404  404  404  404  404  404  404  404  404
api:unknown              PUT    rest=no/such/thing                               404  404  404  404  404  404  404  404  404  404  404
api:unknown              PATCH  rest=no/such/thing                               404  404  404  404  404  404  404  404  404  404  404
api:unknown              DELETE rest=no/such/thing                               404  404  404  404  404  404  404  404  404  404  404

# --- projects, members and texts ---
api:projects             GET    -                                                200  200  200  200  200  200  200  200  200  200  200
api:projects             POST   -                                                401  201  201  201  201  201  201  201  201  201  201
api:project              GET    slug=A                                           404  404  200  200  200  200  200  404  404  200  404
api:project              GET    slug=P                                           200  200  200  200  200  200  200  200  200  200  200
api:project              PATCH  slug=A                                           401  404  403  403  403  403  200  404  404  403  404
api:project              PATCH  slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:archive              PUT    slug=A                                           401  404  403  403  403  403  200  404  404  403  404
api:archive              PUT    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:archive              DELETE slug=A                                           401  404  403  403  403  403  200  404  404  403  404
api:archive              DELETE slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:archive              DELETE slug=Z                                           401  404  404  403  404  404  200  404  404  404  404
api:guidelines           GET    slug=A                                           404  404  200  200  200  200  200  404  404  200  404
api:guidelines           GET    slug=P                                           200  200  200  200  200  200  200  200  200  200  200
api:guidelines           POST   slug=A                                           401  404  403  403  403  403  201  404  404  403  404
api:guidelines           POST   slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:consent_texts        GET    slug=A                                           401  404  200  200  200  200  200  404  404  200  404
api:consent_texts        GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:consent_texts        POST   slug=A                                           401  404  403  403  403  403  201  404  404  403  404
api:consent_texts        POST   slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:acceptances          GET    slug=A                                           401  404  200  200  200  200  200  404  404  200  404
api:acceptances          GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:acceptances          POST   slug=A                                           401  404  200  200  200  200  200  404  404  200  404
api:acceptances          POST   slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:members              GET    slug=A                                           401  404  403  403  403  403  200  404  404  403  404
api:members              GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:member               PATCH  slug=A member_id=A.member                        401  404  403  403  403  403  200  404  404  403  404
api:member               PATCH  slug=A member_id=B.member                        401  404  403  403  403  403  404  404  404  403  404
api:member               PATCH  slug=P member_id=A.member                        401  403  403  403  403  403  403  403  403  403  403
api:invitations          GET    slug=A                                           401  404  403  403  403  403  200  404  404  403  404
api:invitations          GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:invitations          POST   slug=A                                           401  404  403  403  403  403  201  404  404  403  404
api:invitations          POST   slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:invitation           DELETE slug=A invitation_id=A.invitation                401  404  403  403  403  403  204  404  404  403  404
api:invitation           DELETE slug=A invitation_id=B.invitation                401  404  403  403  403  403  404  404  404  403  404
api:invitation           DELETE slug=P invitation_id=A.invitation                401  403  403  403  403  403  403  403  403  403  403

# --- writing and proofreading: work waits until the texts are accepted, with 403 ---
api:next_to_write        GET    slug=A                                           401  404  403  200  200  403  200  404  404  403  404
api:next_to_write        GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:sources              GET    slug=A                                           401  404  200  200  200  200  200  404  404  200  404
api:sources              GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:source               GET    slug=A source_id=A.source                        401  404  200  200  200  200  200  404  404  403  404
api:source               GET    slug=A source_id=B.source                        401  404  404  404  404  404  404  404  404  403  404
api:source               GET    slug=P source_id=A.source                        401  403  403  403  403  403  403  403  403  403  403
api:source_claims        POST   slug=A source_id=A.source                        401  404  403  201  201  403  201  404  404  403  404
api:source_claims        POST   slug=A source_id=B.source                        401  404  403  404  404  403  404  404  404  403  404
api:source_claims        POST   slug=P source_id=A.source                        401  403  403  403  403  403  403  403  403  403  403
api:skip_source          POST   slug=A source_id=A.source                        401  404  403  200  200  403  200  404  404  403  404
api:skip_source          POST   slug=A source_id=A.closed_source                 401  404  403  404  404  403  404  404  404  403  404
api:skip_source          POST   slug=A source_id=B.source                        401  404  403  404  404  403  404  404  404  403  404
api:skip_source          POST   slug=P source_id=A.source                        401  403  403  403  403  403  403  403  403  403  403
api:claim_versions       POST   slug=A claim_id=A.returned                       401  404  403  201  404  403  404  404  404  403  404
api:claim_versions       POST   slug=A claim_id=B.returned                       401  404  403  404  404  403  404  404  404  403  404
api:claim_versions       POST   slug=P claim_id=A.returned                       401  403  403  403  403  403  403  403  403  403  403
api:claims_to_proofread  GET    slug=A                                           401  404  403  403  403  200  200  404  404  403  404
api:claims_to_proofread  GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:claim_reviews        POST   slug=A claim_id=A.submitted                      401  404  403  403  403  201  201  404  404  403  404
api:claim_reviews        POST   slug=A claim_id=B.submitted                      401  404  403  403  403  404  404  404  404  403  404
api:claim_reviews        POST   slug=P claim_id=A.submitted                      401  403  403  403  403  403  403  403  403  403  403
api:claims               GET    slug=A                                           401  404  200  200  200  200  200  404  404  200  404
api:claims               GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:claim                GET    slug=A claim_id=A.submitted                      401  404  404  200  404  200  200  404  404  404  404
api:claim                GET    slug=A claim_id=A.others_claim                   401  404  404  404  200  200  200  404  404  404  404
api:claim                GET    slug=A claim_id=B.submitted                      401  404  404  404  404  404  404  404  404  404  404
api:claim                GET    slug=P claim_id=A.submitted                      401  403  403  403  403  403  403  403  403  403  403
api:retire_claim         POST   slug=A claim_id=A.submitted                      401  404  403  403  403  403  200  404  404  403  404
api:retire_claim         POST   slug=A claim_id=B.submitted                      401  404  403  403  403  403  404  404  404  403  404
api:retire_claim         POST   slug=P claim_id=A.submitted                      401  403  403  403  403  403  403  403  403  403  403

# --- verifying and reviewing ---
api:next_to_verify       GET    slug=A                                           401  404  403  200  200  403  200  404  404  403  404
api:next_to_verify       GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:pairs                GET    slug=A                                           401  404  200  200  200  200  200  404  404  200  404
api:pairs                GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:pair                 GET    slug=A pair_id=A.pair                            401  404  404  404  200  200  200  404  404  403  404
api:pair                 GET    slug=A pair_id=A.others_pair                     401  404  404  200  404  200  200  404  404  403  404
api:pair                 GET    slug=A pair_id=A.judged_pair                     401  404  404  404  200  200  200  404  404  403  404
api:pair                 GET    slug=A pair_id=B.pair                            401  404  404  404  404  404  404  404  404  403  404
api:pair                 GET    slug=P pair_id=A.pair                            401  403  403  403  403  403  403  403  403  403  403
api:pair_judgements      POST   slug=A pair_id=A.pair                            401  404  403  404  201  403  201  404  404  403  404
api:pair_judgements      POST   slug=A pair_id=A.others_pair                     401  404  403  201  404  403  201  404  404  403  404
api:pair_judgements      POST   slug=A pair_id=B.pair                            401  404  403  404  404  403  404  404  404  403  404
api:pair_judgements      POST   slug=P pair_id=A.pair                            401  403  403  403  403  403  403  403  403  403  403
api:judgements           GET    slug=A                                           401  404  200  200  200  200  200  404  404  200  404
api:judgements           GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:judgement            GET    slug=A judgement_id=A.judgement                  401  404  404  404  200  200  200  404  404  404  404
api:judgement            GET    slug=A judgement_id=B.judgement                  401  404  404  404  404  404  404  404  404  404  404
api:judgement            GET    slug=P judgement_id=A.judgement                  401  403  403  403  403  403  403  403  403  403  403
api:judgement_versions   POST   slug=A judgement_id=A.returned_judgement         401  404  403  404  201  403  404  404  404  403  404
api:judgement_versions   POST   slug=A judgement_id=B.returned_judgement         401  404  403  404  404  403  404  404  404  403  404
api:judgement_versions   POST   slug=P judgement_id=A.returned_judgement         401  403  403  403  403  403  403  403  403  403  403
api:judgements_to_review GET    slug=A                                           401  404  403  403  403  200  200  404  404  403  404
api:judgements_to_review GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:judgement_reviews    POST   slug=A judgement_id=A.judgement                  401  404  403  403  403  201  201  404  404  403  404
api:judgement_reviews    POST   slug=A judgement_id=B.judgement                  401  404  403  403  403  404  404  404  404  403  404
api:judgement_reviews    POST   slug=P judgement_id=A.judgement                  401  403  403  403  403  403  403  403  403  403  403

api:claim_disagreement     POST   slug=A claim_id=A.returned                          401  404  403  201  404  403  404  404  404  403  404
api:claim_disagreement     POST   slug=A claim_id=B.returned                          401  404  403  404  404  403  404  404  404  403  404
api:claim_disagreement     POST   slug=P claim_id=A.returned                          401  403  403  403  403  403  403  403  403  403  403
api:judgement_disagreement POST   slug=A judgement_id=A.returned_judgement            401  404  403  404  201  403  404  404  404  403  404
api:judgement_disagreement POST   slug=A judgement_id=B.returned_judgement            401  404  403  404  404  403  404  404  404  403  404
api:judgement_disagreement POST   slug=P judgement_id=A.returned_judgement            401  403  403  403  403  403  403  403  403  403  403

# --- corpora, jobs and files ---
api:corpora              GET    -                                                200  200  200  200  200  200  200  200  200  200  200
api:corpora              POST   -                                                401  201  201  201  201  201  201  201  201  201  201
api:corpus               GET    slug=corpusA                                     404  404  200  200  200  200  200  404  404  200  404
api:corpus               GET    slug=corpusP                                     200  200  200  200  200  200  200  200  200  200  200
api:documents            GET    slug=corpusA                                     404  404  200  200  200  200  200  404  404  200  404
api:documents            GET    slug=corpusP                                     200  200  200  200  200  200  200  200  200  200  200
api:document             GET    slug=corpusA document_id=A.document              404  404  200  200  200  200  200  404  404  200  404
# Cited by an open citance: those who write may not see it.
api:document             GET    slug=corpusA document_id=A.hidden_document       404  404  200  404  404  200  200  404  404  404  404
api:document             GET    slug=corpusA document_id=B.document              404  404  404  404  404  404  404  404  404  404  404
api:document             GET    slug=corpusP document_id=A.document              404  404  404  404  404  404  404  404  404  404  404
api:document             GET    slug=corpusP document_id=P.document              200  200  200  200  200  200  200  200  200  200  200
api:jobs                 GET    -                                                401  200  200  200  200  200  200  200  200  200  200
api:job                  GET    token=A.job                                      401  404  404  200  404  404  404  404  404  404  200
api:job                  GET    token=B.job                                      401  404  404  404  404  404  404  404  404  404  200
api:job                  DELETE token=A.job                                      401  404  404  200  404  404  404  404  404  404  200
api:job                  DELETE token=B.job                                      401  404  404  404  404  404  404  404  404  404  200
api:files                POST   -                                                401  201  201  201  201  201  201  201  201  201  201
api:file                 GET    token=A.file                                     401  404  404  200  404  404  404  404  404  404  404
api:file                 GET    token=B.file                                     401  404  404  404  404  404  404  404  404  404  404
api:file_content         GET    token=A.file                                     401  404  404  200  404  404  404  404  404  404  404
api:file_content         GET    token=B.file                                     401  404  404  404  404  404  404  404  404  404  404

# --- changing a corpus ---
api:corpus               PATCH  slug=corpusA                                     401  404  403  403  403  403  200  404  404  403  404
api:corpus               PATCH  slug=corpusP                                     401  403  403  403  403  403  403  403  403  403  403
api:documents            POST   slug=corpusA                                     401  404  403  403  403  403  201  404  404  403  404
api:documents            POST   slug=corpusP                                     401  403  403  403  403  403  403  403  403  403  403
api:document_text        PUT    slug=corpusA document_id=A.empty_document        401  404  403  403  403  403  200  404  404  403  404
api:document_text        PUT    slug=corpusA document_id=B.empty_document        401  404  403  403  403  403  404  404  404  403  404
api:document_text        PUT    slug=corpusP document_id=A.empty_document        401  403  403  403  403  403  403  403  403  403  403
api:document_boundaries  POST   slug=corpusA document_id=A.empty_document        401  404  403  403  403  403  200  404  404  403  404
api:document_boundaries  POST   slug=corpusA document_id=B.empty_document        401  404  403  403  403  403  404  404  404  403  404
api:document_boundaries  POST   slug=corpusP document_id=A.empty_document        401  403  403  403  403  403  403  403  403  403  403
api:missing_abstracts    GET    slug=corpusA                                     401  404  403  403  403  403  200  404  404  403  404
api:missing_abstracts    GET    slug=corpusP                                     401  403  403  403  403  403  403  403  403  403  403
api:doubtful_boundaries  GET    slug=corpusA                                     401  404  403  403  403  403  200  404  404  403  404
api:doubtful_boundaries  GET    slug=corpusP                                     401  403  403  403  403  403  403  403  403  403  403
api:articles             GET    slug=corpusA                                     404  404  200  200  200  200  200  404  404  200  404
api:articles             GET    slug=corpusP                                     200  200  200  200  200  200  200  200  200  200  200
api:articles             POST   slug=corpusA                                     401  404  403  403  403  403  201  404  404  403  404
api:articles             POST   slug=corpusP                                     401  403  403  403  403  403  403  403  403  403  403
api:article              GET    slug=corpusA article_id=A.article                404  404  200  200  200  200  200  404  404  200  404
api:article              GET    slug=corpusA article_id=B.article                404  404  404  404  404  404  404  404  404  404  404
api:article              GET    slug=corpusP article_id=A.article                404  404  404  404  404  404  404  404  404  404  404
api:article              GET    slug=corpusP article_id=P.article                200  200  200  200  200  200  200  200  200  200  200

# --- imports and exports: of the one who uploaded or checked the file ---
api:formats              GET    -                                                200  200  200  200  200  200  200  200  200  200  200
api:my_data              GET    -                                                401  200  200  200  200  200  200  200  200  200  200
api:columns              GET    token=A.table                                    401  404  404  404  404  404  200  404  404  404  404
api:columns              GET    token=B.table                                    401  404  404  404  404  404  404  200  404  404  404
api:corpus_checks        POST   slug=corpusA                                     401  404  403  403  403  403  202  404  404  403  404
api:corpus_checks        POST   slug=corpusP                                     401  403  403  403  403  403  403  403  403  403  403
api:corpus_exports       POST   slug=corpusA                                     401  404  403  403  403  403  202  404  404  403  404
api:corpus_exports       POST   slug=corpusP                                     401  403  403  403  403  403  403  403  403  403  403
api:agreement            GET    slug=A                                           401  404  403  403  403  403  200  404  404  403  404
api:agreement            GET    slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:claims_checks        POST   slug=A                                           401  404  403  403  403  403  202  404  404  403  404
api:claims_checks        POST   slug=P                                           401  403  403  403  403  403  403  403  403  403  403
api:claims_exports       POST   slug=A                                           401  404  403  403  403  403  202  404  404  403  404
api:claims_exports       POST   slug=P                                           401  403  403  403  403  403  403  403  403  403  403
# A's admin has made the check that is confirmed.
api:imports              POST   -                                                401  404  404  404  404  404  202  404  404  404  404

# --- benchmarks: A's is private and organised by the admin, B's is public; the annotators submitted ---
verification_api:benchmarks        GET    -                                            200  200  200  200  200  200  200  200  200  200  200
verification_api:benchmark         GET    slug=A.benchmark                             404  404  404  404  404  404  200  404  404  404  404
verification_api:benchmark         GET    slug=B.benchmark                             200  200  200  200  200  200  200  200  200  200  200
verification_api:benchmark_file    GET    slug=A.benchmark token=A.claims_file         404  404  404  404  404  404  200  404  404  404  404
verification_api:benchmark_file    GET    slug=B.benchmark token=B.claims_file         200  200  200  200  200  200  200  200  200  200  200
verification_api:benchmark_file    GET    slug=B.benchmark token=A.claims_file         404  404  404  404  404  404  404  404  404  404  404
verification_api:benchmark_file    GET    slug=A.benchmark token=A.gold_file           404  404  404  404  404  404  404  404  404  404  404
verification_api:benchmark_file    GET    slug=B.benchmark token=B.gold_file           404  404  404  404  404  404  404  404  404  404  404
verification_api:board             GET    slug=A.benchmark number=A.phase              404  404  404  404  404  404  200  404  404  404  404
verification_api:board             GET    slug=B.benchmark number=B.phase              200  200  200  200  200  200  200  200  200  200  200
verification_api:phase_submissions POST   slug=A.benchmark number=A.phase              401  404  404  404  404  404  202  404  404  404  404
verification_api:phase_submissions POST   slug=B.benchmark number=B.phase              401  202  202  202  202  202  202  202  202  202  202
verification_api:phase_submissions POST   slug=B.benchmark number=77                   401  404  404  404  404  404  404  404  404  404  404
verification_api:submissions       GET    -                                            401  200  200  200  200  200  200  200  200  200  200
# What is not published opens for the submitter and the organisers, an entry for all who see the board.
verification_api:submission        GET    token=A.upload                               404  404  404  200  404  404  200  404  404  404  404
verification_api:submission        GET    token=A.entry                                404  404  404  200  404  404  200  404  404  404  404
verification_api:submission        GET    token=B.scored                               404  404  404  404  404  404  404  200  404  404  404
verification_api:submission        GET    token=B.entry                                200  200  200  200  200  200  200  200  200  200  200
verification_api:submit            POST   token=A.upload                               401  404  404  200  404  404  403  404  404  404  404
verification_api:submit            POST   token=B.upload                               401  404  404  404  404  404  404  403  404  404  404
verification_api:submit            POST   token=B.entry                                401  403  403  403  403  403  403  403  403  403  403
verification_api:publish           POST   token=A.scored                               401  404  404  200  404  404  403  404  404  404  404
verification_api:publish           POST   token=B.scored                               401  404  404  404  404  404  404  403  404  404  404
verification_api:publish           POST   token=B.entry                                401  403  403  403  403  403  403  403  403  403  403
verification_api:withdraw          POST   token=A.entry                                401  404  404  200  404  404  403  404  404  404  404
verification_api:withdraw          POST   token=B.entry                                401  403  403  403  403  403  403  403  403  403  403

# --- evidence for claims: whoever has an address, also of a batch; B's corpus is not public ---
verification_api:systems           GET    -                                           200  200  200  200  200  200  200  200  200  200  200
verification_api:evidence          POST   -                                           202  202  202  202  202  202  202  202  202  202  202
verification_api:claim_evidence    GET    token=A.saved                               200  200  200  200  200  200  200  200  200  200  200
verification_api:claim_evidence    GET    token=A.fresh_check                         200  200  200  200  200  200  200  200  200  200  200
verification_api:claim_evidence    GET    token=B.saved                               404  404  404  404  404  404  404  404  404  404  404
verification_api:keep_evidence     POST   token=A.fresh_check                         200  200  200  200  200  200  200  200  200  200  200
verification_api:keep_evidence     POST   token=B.saved                               404  404  404  404  404  404  404  404  404  404  404
verification_api:keep_evidence     DELETE token=A.saved                               409  409  409  200  409  409  409  409  409  409  409
verification_api:keep_evidence     DELETE token=A.fresh_check                         409  409  409  409  409  409  409  409  409  409  409
verification_api:keep_evidence     DELETE token=B.saved                               404  404  404  404  404  404  404  404  404  404  404
verification_api:evidence_marks    GET    token=A.saved                               401  200  200  200  200  200  200  200  200  200  200
verification_api:evidence_marks    GET    token=B.saved                               401  404  404  404  404  404  404  404  404  404  404
verification_api:evidence_marks    PUT    token=A.saved                               401  200  200  200  200  200  200  200  200  200  200
verification_api:evidence_marks    PUT    token=B.saved                               401  404  404  404  404  404  404  404  404  404  404
verification_api:evidence_marks    PUT    token=A.fresh_check                         401  409  409  409  409  409  409  409  409  409  409
verification_api:claim_batches     GET    -                                           401  200  200  200  200  200  200  200  200  200  200
verification_api:claim_batches     POST   -                                           401  202  202  202  202  202  202  202  202  202  202
verification_api:claim_batch       GET    token=A.batch                               401  200  200  200  200  200  200  200  200  200  200
verification_api:claim_batch       GET    token=B.batch                               401  404  404  404  404  404  404  404  404  404  404
verification_api:batch_answers     GET    token=A.batch                               401  200  200  200  200  200  200  200  200  200  200
verification_api:batch_answers     GET    token=B.batch                               401  404  404  404  404  404  404  404  404  404  404
"""
