# ruff: noqa: E501
"""Who may do what: every address and method of the site, for every kind of person.

Written by hand from the rules, never from the code. One line is one address with one
method and one set of objects; the columns are the roles of ``world.ROLES``:

    anon  not signed in               othr  another annotator: judged A's pairs
    outs  a member of nothing         revi  reviewer          admn  admin
    read  member, no permission       xadm  admin of B        susp  suspended in A and P
    anno  annotator: wrote A's claims newc  has not accepted the texts yet
    supr  superuser, a member of nothing

A cell is what that person gets: a status, or

    login  sent to the sign-in page
    texts  sent to accept the project's texts first
    away   sent to another page, and nothing was changed

No access is 404, as if the object did not exist; access without the permission for the
stage is 403. A 302 in a line with POST means that the work was done and something was
written; with every other cell, and with GET, nothing may be written. The POST sends
what ``bodies.py`` has for the address.

``slug=A id=B.claim`` is an object of project B under the address of project A; every
address with an object has such a line, and every project page one for the public
project P. A method without a line must answer 405.
"""

from __future__ import annotations

PERMISSIONS = """
# address                          method objects                                  anon  outs  read  anno  othr  revi  admn  xadm  susp  newc  supr

# --- the site ---
healthz                            GET    -                                        200   200   200   200   200   200   200   200   200   200   200
# Only for staff and from this machine; the walk comes from this machine.
metrics                            GET    -                                        200   200   200   200   200   200   200   200   200   200   200

# --- projects ---
annotation:dashboard               GET    -                                        200   200   200   200   200   200   200   200   200   200   200
annotation:projects                GET    -                                        200   200   200   200   200   200   200   200   200   200   200
annotation:new_project             GET    -                                        login 200   200   200   200   200   200   200   200   200   200
annotation:create_project          GET    protocol=scifact                         login 200   200   200   200   200   200   200   200   200   200
annotation:create_project          GET    protocol=nonsense                        login 404   404   404   404   404   404   404   404   404   404
annotation:create_project          POST   protocol=scifact                         login 302   302   302   302   302   302   302   302   302   302
annotation:project                 GET    slug=A                                   404   404   200   200   200   200   200   404   404   200   404
annotation:project                 GET    slug=P                                   200   200   200   200   200   200   200   200   200   200   200
annotation:project                 GET    slug=Z                                   404   404   404   200   404   404   200   404   404   404   404
annotation:project_settings        GET    slug=A                                   login 404   403   403   403   403   200   404   404   403   404
annotation:project_settings        GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:project_settings        POST   slug=A                                   login 404   403   403   403   403   302   404   404   403   404
annotation:project_settings        POST   slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:archive_project         POST   slug=A                                   login 404   403   403   403   403   302   404   404   403   404
annotation:archive_project         POST   slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:restore_project         POST   slug=A                                   login 404   403   403   403   403   away  404   404   403   404
annotation:restore_project         POST   slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:restore_project         POST   slug=Z                                   login 404   404   403   404   404   302   404   404   404   404

# --- guideline and consent text ---
annotation:guideline               GET    slug=A                                   404   404   200   200   200   200   200   404   404   200   404
annotation:guideline               GET    slug=P                                   200   200   200   200   200   200   200   200   200   200   200
annotation:publish_guideline       GET    slug=A                                   login 404   403   403   403   403   200   404   404   403   404
annotation:publish_guideline       GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:publish_guideline       POST   slug=A                                   login 404   403   403   403   403   302   404   404   403   404
annotation:publish_guideline       POST   slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:consent_text            GET    slug=A                                   login 404   200   200   200   200   200   404   404   200   404
annotation:consent_text            GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:publish_consent_text    GET    slug=A                                   login 404   403   403   403   403   200   404   404   403   404
annotation:publish_consent_text    GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:publish_consent_text    POST   slug=A                                   login 404   403   403   403   403   302   404   404   403   404
annotation:publish_consent_text    POST   slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:preview_text            POST   slug=A                                   login 404   403   403   403   403   200   404   404   403   404
annotation:preview_text            POST   slug=P                                   login 403   403   403   403   403   403   403   403   403   403
# Whoever has accepted both texts is sent on; the newcomer accepts them.
annotation:accept_texts            GET    slug=A                                   login 404   away  away  away  away  away  404   404   200   404
annotation:accept_texts            GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:accept_texts            POST   slug=A                                   login 404   away  away  away  away  away  404   404   302   404
annotation:accept_texts            POST   slug=P                                   login 403   403   403   403   403   403   403   403   403   403

# --- writing: the admin has every permission, also that of writing ---
annotation:write_claims            GET    slug=A                                   login 404   403   away  away  403   away  404   404   texts 404
annotation:write_claims            GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:write_source            GET    slug=A source_id=A.source                login 404   403   200   200   403   200   404   404   texts 404
# Whoever closed a source may open the form again, because it can be sent twice.
annotation:write_source            GET    slug=A source_id=A.closed_source         login 404   403   200   404   403   404   404   404   texts 404
annotation:write_source            GET    slug=A source_id=B.source                login 404   403   404   404   403   404   404   404   texts 404
annotation:write_source            GET    slug=P source_id=A.source                login 403   403   403   403   403   403   403   403   403   403
annotation:write_source            POST   slug=A source_id=A.source                login 404   403   302   302   403   302   404   404   texts 404
annotation:write_source            POST   slug=A source_id=B.source                login 404   403   404   404   403   404   404   404   texts 404
annotation:write_source            POST   slug=P source_id=A.source                login 403   403   403   403   403   403   403   403   403   403
annotation:skip_source             POST   slug=A source_id=A.source                login 404   403   302   302   403   302   404   404   texts 404
annotation:skip_source             POST   slug=A source_id=A.closed_source         login 404   403   404   404   403   404   404   404   texts 404
annotation:skip_source             POST   slug=A source_id=B.source                login 404   403   404   404   403   404   404   404   texts 404
annotation:skip_source             POST   slug=P source_id=A.source                login 403   403   403   403   403   403   403   403   403   403
annotation:revise_claim            GET    slug=A claim_id=A.returned               login 404   403   200   404   403   404   404   404   texts 404
annotation:revise_claim            GET    slug=A claim_id=B.returned               login 404   403   404   404   403   404   404   404   texts 404
annotation:revise_claim            GET    slug=P claim_id=A.returned               login 403   403   403   403   403   403   403   403   403   403
annotation:revise_claim            POST   slug=A claim_id=A.returned               login 404   403   302   404   403   404   404   404   texts 404
annotation:revise_claim            POST   slug=A claim_id=B.returned               login 404   403   404   404   403   404   404   404   texts 404
annotation:revise_claim            POST   slug=P claim_id=A.returned               login 403   403   403   403   403   403   403   403   403   403

# What is typed is checked and compared; nothing is kept.
annotation:check_revision          POST   slug=A claim_id=A.negation               login 404   403   200   404   403   404   404   404   texts 404
annotation:check_revision          POST   slug=A claim_id=A.returned               login 404   403   404   404   403   404   404   404   texts 404
annotation:check_revision          POST   slug=A claim_id=B.negation               login 404   403   404   404   403   404   404   404   texts 404
annotation:check_revision          POST   slug=P claim_id=A.negation               login 403   403   403   403   403   403   403   403   403   403
annotation:check_claim             POST   slug=A source_id=A.source                login 404   403   200   200   403   200   404   404   texts 404
annotation:check_claim             POST   slug=A source_id=B.source                login 404   403   404   404   403   404   404   404   texts 404
annotation:check_claim             POST   slug=P source_id=A.source                login 403   403   403   403   403   403   403   403   403   403
annotation:compare_pair            POST   slug=A source_id=A.source                login 404   403   200   200   403   200   404   404   texts 404
annotation:compare_pair            POST   slug=A source_id=B.source                login 404   403   404   404   403   404   404   404   texts 404
annotation:compare_pair            POST   slug=P source_id=A.source                login 403   403   403   403   403   403   403   403   403   403
# Taken back by the writer who closed the source, as long as nobody acted on it.
annotation:withdraw_claims         POST   slug=A source_id=A.closed_source         login 404   403   302   404   403   404   404   404   texts 404
annotation:withdraw_claims         POST   slug=A source_id=A.source                login 404   403   404   404   403   404   404   404   texts 404
annotation:withdraw_claims         POST   slug=A source_id=B.closed_source         login 404   403   404   404   403   404   404   404   texts 404
annotation:withdraw_claims         POST   slug=P source_id=A.closed_source         login 403   403   403   403   403   403   403   403   403   403

# --- negating: who wrote an approved claim does not matter ---
annotation:negate_claims           GET    slug=A                                   login 404   403   away  away  403   away  404   404   texts 404
annotation:negate_claims           GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:negate_claim            GET    slug=A claim_id=A.negatable              login 404   403   200   200   403   200   404   404   texts 404
annotation:negate_claim            GET    slug=A claim_id=A.submitted              login 404   403   404   404   403   404   404   404   texts 404
annotation:negate_claim            GET    slug=A claim_id=B.negatable              login 404   403   404   404   403   404   404   404   texts 404
annotation:negate_claim            GET    slug=P claim_id=A.negatable              login 403   403   403   403   403   403   403   403   403   403
annotation:negate_claim            POST   slug=A claim_id=A.negatable              login 404   403   302   302   403   302   404   404   texts 404
annotation:negate_claim            POST   slug=A claim_id=A.submitted              login 404   403   404   404   403   404   404   404   texts 404
annotation:negate_claim            POST   slug=A claim_id=B.negatable              login 404   403   404   404   403   404   404   404   texts 404
annotation:negate_claim            POST   slug=P claim_id=A.negatable              login 403   403   403   403   403   403   403   403   403   403
annotation:check_negation          POST   slug=A claim_id=A.negatable              login 404   403   200   200   403   200   404   404   texts 404
annotation:check_negation          POST   slug=A claim_id=B.negatable              login 404   403   404   404   403   404   404   404   texts 404
annotation:check_negation          POST   slug=P claim_id=A.negatable              login 403   403   403   403   403   403   403   403   403   403
annotation:skip_negation           POST   slug=A claim_id=A.negatable              login 404   403   302   302   403   302   404   404   texts 404
annotation:skip_negation           POST   slug=A claim_id=B.negatable              login 404   403   404   404   403   404   404   404   texts 404
annotation:skip_negation           POST   slug=P claim_id=A.negatable              login 403   403   403   403   403   403   403   403   403   403
annotation:withdraw_negation       POST   slug=A claim_id=A.negation               login 404   403   302   404   403   404   404   404   texts 404
annotation:withdraw_negation       POST   slug=A claim_id=A.submitted              login 404   403   404   404   403   404   404   404   texts 404
annotation:withdraw_negation       POST   slug=A claim_id=B.negation               login 404   403   404   404   403   404   404   404   texts 404
annotation:withdraw_negation       POST   slug=P claim_id=A.negation               login 403   403   403   403   403   403   403   403   403   403

annotation:skipped_sources         GET    slug=A                                   login 404   403   403   403   403   200   404   404   403   404
annotation:skipped_sources         GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:reopen_source           POST   slug=A source_id=A.skipped_source        login 404   403   403   403   403   302   404   404   403   404
annotation:reopen_source           POST   slug=A source_id=A.source                login 404   403   403   403   403   404   404   404   403   404
annotation:reopen_source           POST   slug=A source_id=B.skipped_source        login 404   403   403   403   403   404   404   404   403   404
annotation:reopen_source           POST   slug=P source_id=A.skipped_source        login 403   403   403   403   403   403   403   403   403   403

# --- proofreading, and the list of claims ---
annotation:proofread_claims        GET    slug=A                                   login 404   403   403   403   200   200   404   404   texts 404
annotation:proofread_claims        GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:proofread_claim         GET    slug=A claim_id=A.submitted              login 404   403   403   403   200   200   404   404   texts 404
annotation:proofread_claim         GET    slug=A claim_id=B.submitted              login 404   403   403   403   404   404   404   404   texts 404
annotation:proofread_claim         GET    slug=P claim_id=A.submitted              login 403   403   403   403   403   403   403   403   403   403
annotation:proofread_claim         POST   slug=A claim_id=A.submitted              login 404   403   403   403   302   302   404   404   texts 404
annotation:proofread_claim         POST   slug=A claim_id=B.submitted              login 404   403   403   403   404   404   404   404   texts 404
annotation:proofread_claim         POST   slug=P claim_id=A.submitted              login 403   403   403   403   403   403   403   403   403   403
annotation:claims                  GET    slug=A                                   login 404   200   200   200   200   200   404   404   200   404
annotation:claims                  GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
# A claim is read by its author and by those who oversee the project.
annotation:claim                   GET    slug=A claim_id=A.submitted              login 404   404   200   404   200   200   404   404   404   404
annotation:claim                   GET    slug=A claim_id=A.others_claim           login 404   404   404   200   200   200   404   404   404   404
annotation:claim                   GET    slug=A claim_id=B.submitted              login 404   404   404   404   404   404   404   404   404   404
annotation:claim                   GET    slug=P claim_id=A.submitted              login 403   403   403   403   403   403   403   403   403   403
annotation:retire_claim            POST   slug=A claim_id=A.submitted              login 404   403   403   403   403   302   404   404   403   404
annotation:retire_claim            POST   slug=A claim_id=B.submitted              login 404   403   403   403   403   404   404   404   403   404
annotation:retire_claim            POST   slug=P claim_id=A.submitted              login 403   403   403   403   403   403   403   403   403   403

# --- research questions and their studies: members read them, admins change them ---
annotation:questions               GET    slug=A                                  login 404   200   200   200   200   200   404   404   200   404
annotation:questions               GET    slug=P                                  login 403   403   403   403   403   403   403   403   403   403
annotation:questions_csv           GET    slug=A                                  login 404   200   200   200   200   200   404   404   200   404
annotation:questions_csv           GET    slug=P                                  login 403   403   403   403   403   403   403   403   403   403
annotation:question                GET    slug=A question_id=A.question           login 404   200   200   200   200   200   404   404   200   404
annotation:question                GET    slug=A question_id=B.question           login 404   404   404   404   404   404   404   404   404   404
annotation:question                GET    slug=P question_id=A.question           login 403   403   403   403   403   403   403   403   403   403
annotation:question                POST   slug=A question_id=A.question           login 404   403   403   403   403   302   404   404   403   404
annotation:question                POST   slug=A question_id=B.question           login 404   403   403   403   403   404   404   404   403   404
annotation:question                POST   slug=P question_id=A.question           login 403   403   403   403   403   403   403   403   403   403
annotation:new_question            GET    slug=A                                  login 404   403   403   403   403   200   404   404   403   404
annotation:new_question            GET    slug=P                                  login 403   403   403   403   403   403   403   403   403   403
annotation:new_question            POST   slug=A                                  login 404   403   403   403   403   302   404   404   403   404
annotation:new_question            POST   slug=P                                  login 403   403   403   403   403   403   403   403   403   403
annotation:import_studies          GET    slug=A                                  login 404   403   403   403   403   200   404   404   403   404
annotation:import_studies          GET    slug=P                                  login 403   403   403   403   403   403   403   403   403   403
annotation:import_studies          POST   slug=A                                  login 404   403   403   403   403   302   404   404   403   404
annotation:import_studies          POST   slug=P                                  login 403   403   403   403   403   403   403   403   403   403
# Project A has rationales, which experts' labels lack: there is nothing to take over.
annotation:take_over_labels        POST   slug=A                                  login 404   403   403   403   403   away  404   404   403   404
annotation:take_over_labels        POST   slug=K                                  login 404   404   403   404   404   302   404   404   404   404
annotation:take_over_labels        POST   slug=P                                  login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_studies       GET    slug=A token=A.studies_check            login 404   403   403   403   403   200   404   404   403   404
annotation:import_of_studies       GET    slug=A token=B.studies_check            login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_studies       GET    slug=P token=A.studies_check            login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_studies       GET    slug=A token=Z.studies_check            login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_studies       POST   slug=A token=A.studies_check            login 404   403   403   403   403   302   404   404   403   404
annotation:import_of_studies       POST   slug=A token=B.studies_check            login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_studies       POST   slug=P token=A.studies_check            login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_studies       POST   slug=A token=Z.studies_check            login 404   403   403   403   403   404   404   404   403   404

# --- verifying: a pair that is not waiting for a person sends them on, whatever the reason; an answer to one is 409 ---
annotation:verify_pairs            GET    slug=A                                   login 404   403   away  away  403   away  404   404   texts 404
annotation:verify_pairs            GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:verify_pair             GET    slug=A pair_id=A.pair                    login 404   403   away  200   403   200   404   404   texts 404
annotation:verify_pair             GET    slug=A pair_id=A.others_pair             login 404   403   200   away  403   200   404   404   texts 404
annotation:verify_pair             GET    slug=A pair_id=B.pair                    login 404   403   away  away  403   away  404   404   texts 404
annotation:verify_pair             GET    slug=P pair_id=A.pair                    login 403   403   403   403   403   403   403   403   403   403
annotation:verify_pair             POST   slug=A pair_id=A.pair                    login 404   403   409   302   403   302   404   404   texts 404
annotation:verify_pair             POST   slug=A pair_id=A.others_pair             login 404   403   302   409   403   302   404   404   texts 404
annotation:verify_pair             POST   slug=A pair_id=B.pair                    login 404   403   409   409   403   409   404   404   texts 404
annotation:verify_pair             POST   slug=P pair_id=A.pair                    login 403   403   403   403   403   403   403   403   403   403
# An own answer is read again; it is taken back while nobody has acted on it.
annotation:verify_pair             GET    slug=A pair_id=A.judged_pair             login 404   403   away  200   403   away  404   404   texts 404
annotation:next_pair               GET    slug=A                                   login 404   403   200   204   403   200   404   404   texts 404
annotation:next_pair               GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:undo_last               POST   slug=A                                   login 404   403   away  302   403   away  404   404   texts 404
annotation:undo_last               POST   slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:withdraw_judgement      POST   slug=A pair_id=A.judged_pair             login 404   403   away  302   403   away  404   404   texts 404
annotation:withdraw_judgement      POST   slug=A pair_id=A.pair                    login 404   403   away  away  403   away  404   404   texts 404
annotation:withdraw_judgement      POST   slug=A pair_id=B.judged_pair             login 404   403   away  away  403   away  404   404   texts 404
annotation:withdraw_judgement      POST   slug=P pair_id=A.judged_pair             login 403   403   403   403   403   403   403   403   403   403
# What the model suggests is shown to whom the pair waits for, and to nobody else.
annotation:show_suggestion         POST   slug=A pair_id=A.pair                    login 404   403   away  200   403   200   404   404   texts 404
annotation:show_suggestion         POST   slug=A pair_id=A.others_pair             login 404   403   200   away  403   200   404   404   texts 404
annotation:show_suggestion         POST   slug=A pair_id=A.judged_pair             login 404   403   away  away  403   away  404   404   texts 404
annotation:show_suggestion         POST   slug=A pair_id=B.pair                    login 404   403   away  away  403   away  404   404   texts 404
annotation:show_suggestion         POST   slug=P pair_id=A.pair                    login 403   403   403   403   403   403   403   403   403   403
# Flags are personal: of a pair in the own queue, or one that was judged.
annotation:flag_pair               POST   slug=A pair_id=A.pair                    login 404   403   404   302   403   302   404   404   302   404
annotation:flag_pair               POST   slug=A pair_id=A.judged_pair             login 404   403   404   302   403   404   404   404   404   404
annotation:flag_pair               POST   slug=A pair_id=B.pair                    login 404   403   404   404   403   404   404   404   404   404
annotation:flag_pair               POST   slug=P pair_id=A.pair                    login 403   403   403   403   403   403   403   403   403   403
annotation:flags                   GET    slug=A                                   login 404   200   200   200   200   200   404   404   200   404
annotation:flags                   GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:change_flag             POST   slug=A pk=A.flag                         login 404   404   404   302   404   404   404   404   404   404
annotation:change_flag             POST   slug=A pk=B.flag                         login 404   404   404   404   404   404   404   404   404   404
annotation:change_flag             POST   slug=P pk=A.flag                         login 403   403   403   403   403   403   403   403   403   403
annotation:revise_judgement        GET    slug=A judgement_id=A.returned_judgement login 404   403   404   200   403   404   404   404   texts 404
annotation:revise_judgement        GET    slug=A judgement_id=B.returned_judgement login 404   403   404   404   403   404   404   404   texts 404
annotation:revise_judgement        GET    slug=P judgement_id=A.returned_judgement login 403   403   403   403   403   403   403   403   403   403
annotation:revise_judgement        POST   slug=A judgement_id=A.returned_judgement login 404   403   404   302   403   404   404   404   texts 404
annotation:revise_judgement        POST   slug=A judgement_id=B.returned_judgement login 404   403   404   404   403   404   404   404   texts 404
annotation:revise_judgement        POST   slug=P judgement_id=A.returned_judgement login 403   403   403   403   403   403   403   403   403   403

# --- the queue: who lost an item, or may not have it, is told so by 409 ---
annotation:renew_lease             POST   slug=A stage=verify item_id=A.pair               login 404   403   409   200   403   200   404   404   texts 404
annotation:renew_lease             POST   slug=A stage=verify item_id=B.pair               login 404   403   409   409   403   409   404   404   texts 404
annotation:renew_lease             POST   slug=A stage=nonsense item_id=A.pair             login 404   404   404   404   404   404   404   404   texts 404
annotation:renew_lease             POST   slug=P stage=verify item_id=A.pair               login 403   403   403   403   403   403   403   403   403   403
annotation:renew_lease             POST   slug=A stage=write item_id=A.source              login 404   403   200   200   403   200   404   404   texts 404
annotation:renew_lease             POST   slug=A stage=review item_id=A.judgement          login 404   403   403   403   200   200   404   404   texts 404
annotation:renew_lease             POST   slug=A stage=proofread item_id=A.submitted       login 404   403   403   403   200   200   404   404   texts 404

annotation:skip_item               POST   slug=A stage=verify item_id=A.pair               login 404   403   away  302   403   302   404   404   texts 404
annotation:skip_item               POST   slug=A stage=verify item_id=B.pair               login 404   403   away  away  403   away  404   404   texts 404
annotation:skip_item               POST   slug=A stage=nonsense item_id=A.pair             login 404   404   404   404   404   404   404   404   texts 404
annotation:skip_item               POST   slug=P stage=verify item_id=A.pair               login 403   403   403   403   403   403   403   403   403   403
annotation:skip_item               POST   slug=A stage=review item_id=A.returned_judgement login 404   403   403   403   away  away  404   404   texts 404
annotation:skip_item               POST   slug=A stage=proofread item_id=A.submitted       login 404   403   403   403   302   302   404   404   texts 404
annotation:skips                   GET    slug=A                                           login 404   200   200   200   200   200   404   404   200   404
annotation:skips                   GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
# Whoever skipped an item takes it back, or an admin does.
annotation:take_back_skip          POST   slug=A skip_id=A.skip                            login 404   404   404   404   302   302   404   404   404   404
annotation:take_back_skip          POST   slug=A skip_id=B.skip                            login 404   404   404   404   404   404   404   404   404   404
annotation:take_back_skip          POST   slug=P skip_id=A.skip                            login 403   403   403   403   403   403   403   403   403   403
annotation:holds                   GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:holds                   GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:release_lease           POST   slug=A lease_id=A.lease                          login 404   403   403   403   403   302   404   404   403   404
annotation:release_lease           POST   slug=A lease_id=B.lease                          login 404   403   403   403   403   404   404   404   403   404
annotation:release_lease           POST   slug=P lease_id=A.lease                          login 403   403   403   403   403   403   403   403   403   403
annotation:restore_lease           POST   slug=A event_id=A.release                        login 404   403   403   403   403   302   404   404   403   404
annotation:restore_lease           POST   slug=A event_id=B.release                        login 404   403   403   403   403   404   404   404   403   404
annotation:restore_lease           POST   slug=P event_id=A.release                        login 403   403   403   403   403   403   403   403   403   403

# --- drafts: of what somebody has at hand; the author of a claim never has its pair ---
annotation:draft                   GET    slug=A kind=verify item_id=A.pair                login 404   403   404   200   403   200   404   404   200   404
annotation:draft                   GET    slug=A kind=verify item_id=B.pair                login 404   403   404   404   403   404   404   404   404   404
annotation:draft                   GET    slug=A kind=nonsense item_id=A.pair              login 404   404   404   404   404   404   404   404   404   404
annotation:draft                   GET    slug=P kind=verify item_id=A.pair                login 403   403   403   403   403   403   403   403   403   403
annotation:draft                   POST   slug=A kind=verify item_id=A.pair                login 404   403   404   200   403   200   404   404   200   404
annotation:draft                   POST   slug=A kind=verify item_id=B.pair                login 404   403   404   404   403   404   404   404   404   404
annotation:draft                   POST   slug=P kind=verify item_id=A.pair                login 403   403   403   403   403   403   403   403   403   403
# What was submitted has no draft.
annotation:draft                   GET    slug=A kind=verify item_id=A.judged_pair         login 404   403   404   404   403   404   404   404   404   404
annotation:draft                   GET    slug=A kind=write item_id=A.source               login 404   403   200   200   403   200   404   404   200   404
annotation:draft                   GET    slug=A kind=review item_id=A.judgement           login 404   403   403   403   200   200   404   404   403   404
annotation:draft                   GET    slug=A kind=proofread item_id=A.submitted        login 404   403   403   403   200   200   404   404   403   404

# --- reviewing ---
annotation:review_judgements       GET    slug=A                                   login 404   403   403   403   200   200   404   404   texts 404
annotation:review_judgements       GET    slug=P                                   login 403   403   403   403   403   403   403   403   403   403
annotation:review_judgement        GET    slug=A judgement_id=A.judgement          login 404   403   403   403   200   200   404   404   texts 404
annotation:review_judgement        GET    slug=A judgement_id=B.judgement          login 404   403   403   403   404   404   404   404   texts 404
annotation:review_judgement        GET    slug=P judgement_id=A.judgement          login 403   403   403   403   403   403   403   403   403   403
annotation:review_judgement        POST   slug=A judgement_id=A.judgement          login 404   403   403   403   302   302   404   404   texts 404
annotation:review_judgement        POST   slug=A judgement_id=B.judgement          login 404   403   403   403   404   404   404   404   texts 404
annotation:review_judgement        POST   slug=P judgement_id=A.judgement          login 403   403   403   403   403   403   403   403   403   403

# The claims and judgements of A that wait are those of anno and othr.
annotation:proofread_next          POST   slug=A                                      login 404   403   403   403   away  away  404   404   texts 404
annotation:proofread_next          POST   slug=P                                      login 403   403   403   403   403   403   403   403   403   403
annotation:review_next             POST   slug=A                                      login 404   403   403   403   away  away  404   404   texts 404
annotation:review_next             POST   slug=P                                      login 403   403   403   403   403   403   403   403   403   403
annotation:undo_claim_review       POST   slug=A review_id=A.claim_review             login 404   403   403   403   302   404   404   404   texts 404
annotation:undo_claim_review       POST   slug=A review_id=B.claim_review             login 404   403   403   403   404   404   404   404   texts 404
annotation:undo_claim_review       POST   slug=P review_id=A.claim_review             login 403   403   403   403   403   403   403   403   403   403
annotation:undo_judgement_review   POST   slug=A review_id=A.judgement_review         login 404   403   403   403   302   404   404   404   texts 404
annotation:undo_judgement_review   POST   slug=A review_id=B.judgement_review         login 404   403   403   403   404   404   404   404   texts 404
annotation:undo_judgement_review   POST   slug=P review_id=A.judgement_review         login 403   403   403   403   403   403   403   403   403   403

# --- answering reviewers: only who wrote it ---
annotation:disagree_about_claim    POST   slug=A claim_id=A.returned                  login 404   403   302   404   403   404   404   404   texts 404
annotation:disagree_about_claim    POST   slug=A claim_id=B.returned                  login 404   403   404   404   403   404   404   404   texts 404
annotation:disagree_about_claim    POST   slug=P claim_id=A.returned                  login 403   403   403   403   403   403   403   403   403   403
annotation:disagree_about_judgement POST   slug=A judgement_id=A.returned_judgement    login 404   403   404   302   403   404   404   404   texts 404
annotation:disagree_about_judgement POST   slug=A judgement_id=B.returned_judgement    login 404   403   404   404   403   404   404   404   texts 404
annotation:disagree_about_judgement POST   slug=P judgement_id=A.returned_judgement    login 403   403   403   403   403   403   403   403   403   403
# A judgement is read by its annotator and by those who oversee the project.
annotation:judgement               GET    slug=A judgement_id=A.judgement             login 404   404   404   200   200   200   404   404   texts 404
annotation:judgement               GET    slug=A judgement_id=B.judgement             login 404   404   404   404   404   404   404   404   texts 404
annotation:judgement               GET    slug=P judgement_id=A.judgement             login 403   403   403   403   403   403   403   403   403   403

# --- members and invitations ---
annotation:members                 GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:members                 GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:change_member           GET    slug=A pk=A.member                               login 404   403   403   403   403   200   404   404   403   404
annotation:change_member           GET    slug=A pk=B.member                               login 404   403   403   403   403   404   404   404   403   404
annotation:change_member           GET    slug=P pk=A.member                               login 403   403   403   403   403   403   403   403   403   403
annotation:change_member           POST   slug=A pk=A.member                               login 404   403   403   403   403   302   404   404   403   404
annotation:change_member           POST   slug=A pk=B.member                               login 404   403   403   403   403   404   404   404   403   404
annotation:change_member           POST   slug=P pk=A.member                               login 403   403   403   403   403   403   403   403   403   403
annotation:suspend_member          POST   slug=A pk=A.member                               login 404   403   403   403   403   302   404   404   403   404
annotation:suspend_member          POST   slug=A pk=B.member                               login 404   403   403   403   403   404   404   404   403   404
annotation:suspend_member          POST   slug=P pk=A.member                               login 403   403   403   403   403   403   403   403   403   403
annotation:reinstate_member        POST   slug=A pk=A.suspended_member                     login 404   403   403   403   403   302   404   404   403   404
annotation:reinstate_member        POST   slug=A pk=B.suspended_member                     login 404   403   403   403   403   404   404   404   403   404
annotation:reinstate_member        POST   slug=P pk=A.suspended_member                     login 403   403   403   403   403   403   403   403   403   403
annotation:trust_member            POST   slug=A pk=A.probation_member                     login 404   403   403   403   403   302   404   404   403   404
annotation:trust_member            POST   slug=A pk=B.probation_member                     login 404   403   403   403   403   404   404   404   403   404
annotation:trust_member            POST   slug=P pk=A.probation_member                     login 403   403   403   403   403   403   403   403   403   403
annotation:create_invitation       POST   slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:create_invitation       POST   slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:revoke_invitation       POST   slug=A pk=A.invitation                           login 404   403   403   403   403   302   404   404   403   404
annotation:revoke_invitation       POST   slug=A pk=B.invitation                           login 404   403   403   403   403   404   404   404   403   404
annotation:revoke_invitation       POST   slug=P pk=A.invitation                           login 403   403   403   403   403   403   403   403   403   403
# Whoever has the link may join; members stay what they are, a suspended one is told so.
annotation:join                    GET    token=A.invitation_token                         200   200   200   200   200   200   200   200   200   200   200
annotation:join                    GET    token=B.invitation_token                         200   200   200   200   200   200   200   200   200   200   200
annotation:join                    GET    token=nonsense                                   410   410   410   410   410   410   410   410   410   410   410
annotation:join                    POST   token=A.invitation_token                         200   302   away  away  away  away  away  302   410   away  302
annotation:join                    POST   token=B.invitation_token                         200   302   302   302   302   302   302   away  302   302   302
annotation:join                    POST   token=nonsense                                   410   410   410   410   410   410   410   410   410   410   410

# --- adjudicating: never one's own judgement; the way back is for whoever decided ---
annotation:adjudicate_pairs        GET    slug=A                              login 404   403   403   403   200   200   404   404   texts 404
annotation:adjudicate_pairs        GET    slug=P                              login 403   403   403   403   403   403   403   403   403   403
annotation:adjudicate_next         POST   slug=A                              login 404   403   403   403   away  away  404   404   texts 404
annotation:adjudicate_next         POST   slug=P                              login 403   403   403   403   403   403   403   403   403   403
annotation:adjudicate_pair         GET    slug=A pair_id=A.disputed           login 404   403   403   403   200   200   404   404   texts 404
annotation:adjudicate_pair         GET    slug=A pair_id=A.pair               login 404   403   403   403   404   404   404   404   texts 404
annotation:adjudicate_pair         GET    slug=A pair_id=B.disputed           login 404   403   403   403   404   404   404   404   texts 404
annotation:adjudicate_pair         GET    slug=P pair_id=A.disputed           login 403   403   403   403   403   403   403   403   403   403
annotation:adjudicate_pair         POST   slug=A pair_id=A.disputed           login 404   403   403   403   302   302   404   404   texts 404
annotation:adjudicate_pair         POST   slug=A pair_id=B.disputed           login 404   403   403   403   404   404   404   404   texts 404
annotation:adjudicate_pair         POST   slug=P pair_id=A.disputed           login 403   403   403   403   403   403   403   403   403   403
annotation:undo_adjudicate         POST   slug=A pk=A.adjudication            login 404   403   403   403   302   404   404   404   texts 404
annotation:undo_adjudicate         POST   slug=A pk=B.adjudication            login 404   403   403   403   404   404   404   404   texts 404
annotation:undo_adjudicate         POST   slug=P pk=A.adjudication            login 403   403   403   403   403   403   403   403   403   403

# --- the admin's view: progress, what is stuck, every claim and pair ---
annotation:progress                GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:progress                GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:agreement               GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:agreement               GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:agreement_labels_csv    GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:agreement_labels_csv    GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:agreement_sentences_csv GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:agreement_sentences_csv GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:reannotation            GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:reannotation            GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:reannotation            POST   slug=A                                           login 404   403   403   403   403   302   404   404   403   404
annotation:reannotation            POST   slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:undo_reannotation       POST   slug=A pk=A.sample                               login 404   403   403   403   403   302   404   404   403   404
annotation:undo_reannotation       POST   slug=A pk=B.sample                               login 404   403   403   403   403   404   404   404   403   404
annotation:undo_reannotation       POST   slug=P pk=A.sample                               login 403   403   403   403   403   403   403   403   403   403
annotation:stuck                   GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:stuck                   GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:items                   GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:items                   GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:reassign                POST   slug=A                                           login 404   403   403   403   403   302   404   404   403   404
annotation:reassign                POST   slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:suggestion_report       GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:suggestion_report       GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:suggestion_report_csv   GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:suggestion_report_csv   GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:compute_suggestions     POST   slug=A                                           login 404   403   403   403   403   302   404   404   403   404
annotation:compute_suggestions     POST   slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:undo_reassign           POST   slug=A                                           login 404   403   403   403   403   302   404   404   403   404
annotation:undo_reassign           POST   slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:change_items            POST   slug=A                                           login 404   403   403   403   403   302   404   404   403   404
annotation:change_items            POST   slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:save_filter             POST   slug=A                                           login 404   403   403   403   403   302   404   404   403   404
annotation:save_filter             POST   slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:undo_change             POST   slug=A pk=A.bulk                                 login 404   403   403   403   403   302   404   404   403   404
annotation:undo_change             POST   slug=A pk=B.bulk                                 login 404   403   403   403   403   404   404   404   403   404
annotation:undo_change             POST   slug=P pk=A.bulk                                 login 403   403   403   403   403   403   403   403   403   403
annotation:delete_filter           POST   slug=A pk=A.filter                               login 404   403   403   403   403   302   404   404   403   404
annotation:delete_filter           POST   slug=A pk=B.filter                               login 404   403   403   403   403   404   404   404   403   404
annotation:delete_filter           POST   slug=P pk=A.filter                               login 403   403   403   403   403   403   403   403   403   403

# --- working time: only one's own, and the pay sheet for the project's admins ---
annotation:my_day                  GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:my_week                 GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:my_week_csv             GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:enter_work              GET    -                                                login 200   200   200   200   200   200   200   200   200   200
# Sent for project A: who may not work in it gets the form again.
annotation:enter_work              POST   -                                                login 200   200   302   302   302   302   200   200   302   200
# The annotator works in A already; the other one has a break, which ends.
annotation:start_work              POST   slug=A                                           login 404   403   away  302   302   302   404   404   302   404
annotation:start_work              POST   slug=P                                           login 403   403   403   403   403   403   403   403   403   403
annotation:pause_work              POST   pk=A.session                                     login 404   404   302   404   404   404   404   404   404   404
annotation:pause_work              POST   pk=B.session                                     login 404   404   404   404   404   404   404   404   404   404
annotation:resume_work             POST   pk=A.paused_session                              login 404   404   404   302   404   404   404   404   404   404
annotation:resume_work             POST   pk=B.paused_session                              login 404   404   404   404   404   404   404   404   404   404
annotation:stop_work               POST   pk=A.session                                     login 404   404   302   404   404   404   404   404   404   404
annotation:stop_work               POST   pk=B.session                                     login 404   404   404   404   404   404   404   404   404   404
annotation:correct_work            GET    pk=A.ended_session                               login 404   404   200   404   404   404   404   404   404   404
annotation:correct_work            GET    pk=B.ended_session                               login 404   404   404   404   404   404   404   404   404   404
annotation:correct_work            POST   pk=A.ended_session                               login 404   404   302   404   404   404   404   404   404   404
annotation:correct_work            POST   pk=B.ended_session                               login 404   404   404   404   404   404   404   404   404   404
annotation:withdraw_correction     POST   pk=A.ended_session                               login 404   404   302   404   404   404   404   404   404   404
annotation:withdraw_correction     POST   pk=B.ended_session                               login 404   404   404   404   404   404   404   404   404   404
annotation:clock_reading           POST   slug=A guideline_id=A.guideline                  login 404   403   204   204   204   204   404   404   204   404
annotation:clock_reading           POST   slug=A guideline_id=B.guideline                  login 404   403   404   404   404   404   404   404   404   404
annotation:clock_reading           POST   slug=P guideline_id=A.guideline                  login 403   403   403   403   403   403   403   403   403   403
annotation:project_week_csv        GET    slug=A                                           login 404   403   403   403   403   200   404   404   403   404
annotation:project_week_csv        GET    slug=P                                           login 403   403   403   403   403   403   403   403   403   403

# --- what is kept about oneself ---
annotation:my_data                 GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:download_my_data        GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:download_my_work        GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:preferences             GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:preferences             POST   -                                                login 302   302   302   302   302   302   302   302   302   302
annotation:change_keys             POST   -                                                login 302   302   302   302   302   302   302   302   302   302
annotation:api_tokens              GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:api_tokens              POST   -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:revoke_api_token        POST   pk=A.token                                       login 404   404   302   404   404   404   404   404   404   404
annotation:revoke_api_token        POST   pk=B.token                                       login 404   404   404   404   404   404   404   404   404   404
annotation:erase_me                GET    -                                                login 200   200   200   200   200   200   200   200   200   200
# The only admin of a project with other members is asked to name another first.
annotation:erase_me                POST   -                                                login 302   302   302   302   302   200   200   302   302   302

# --- notices: the reader's own; only the two annotators of A have something new ---
annotation:notices                 GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:read_notices            POST   -                                                login away  away  302   302   away  away  away  away  away  away
annotation:open_notice             POST   pk=A.notice                                      login 404   404   302   404   404   404   404   404   404   404
annotation:open_notice             POST   pk=B.notice                                      login 404   404   404   404   404   404   404   404   404   404

# --- people, for those who run the instance ---
annotation:list_people             GET    -                                                login 404   404   404   404   404   404   404   404   404   200
annotation:make_reset_link         POST   pk=A.person                                      login 404   404   404   404   404   404   404   404   404   200
annotation:make_reset_link         POST   pk=B.person                                      login 404   404   404   404   404   404   404   404   404   200
annotation:set_person_active       POST   pk=A.person                                      login 404   404   404   404   404   404   404   404   404   302
annotation:set_person_active       POST   pk=B.person                                      login 404   404   404   404   404   404   404   404   404   302
annotation:erase_person            GET    pk=A.person                                      login 404   404   404   404   404   404   404   404   404   200
annotation:erase_person            GET    pk=B.person                                      login 404   404   404   404   404   404   404   404   404   200
annotation:erase_person            POST   pk=A.person                                      login 404   404   404   404   404   404   404   404   404   302
annotation:erase_person            POST   pk=B.person                                      login 404   404   404   404   404   404   404   404   404   302

# --- corpora: read by members of their projects, changed by owners and project admins ---
annotation:corpora                 GET    -                                                200   200   200   200   200   200   200   200   200   200   200
annotation:new_corpus              GET    -                                                login 200   200   200   200   200   200   200   200   200   200
annotation:new_corpus              POST   -                                                login 302   302   302   302   302   302   302   302   302   302
annotation:corpus                  GET    slug=corpusA                                     404   404   200   200   200   200   200   404   404   200   404
annotation:corpus                  GET    slug=corpusP                                     200   200   200   200   200   200   200   200   200   200   200
annotation:edit_corpus             GET    slug=corpusA                                     login 404   403   403   403   403   200   404   404   403   404
annotation:edit_corpus             GET    slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:edit_corpus             POST   slug=corpusA                                     login 404   403   403   403   403   302   404   404   403   404
annotation:edit_corpus             POST   slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:document                GET    slug=corpusA document_id=A.document              404   404   200   200   200   200   200   404   404   200   404
# Cited by an open citance: those who write may not see it.
annotation:document                GET    slug=corpusA document_id=A.hidden_document       404   404   200   404   404   200   200   404   404   404   404
annotation:document                GET    slug=corpusA document_id=B.document              404   404   404   404   404   404   404   404   404   404   404
annotation:document                GET    slug=corpusP document_id=A.document              404   404   404   404   404   404   404   404   404   404   404
annotation:document                GET    slug=corpusP document_id=P.document              200   200   200   200   200   200   200   200   200   200   200
annotation:new_document            GET    slug=corpusA                                     login 404   403   403   403   403   200   404   404   403   404
annotation:new_document            GET    slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:new_document            POST   slug=corpusA                                     login 404   403   403   403   403   302   404   404   403   404
annotation:new_document            POST   slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:fill_abstract           POST   slug=corpusA document_id=A.empty_document        login 404   403   403   403   403   302   404   404   403   404
annotation:fill_abstract           POST   slug=corpusA document_id=B.empty_document        login 404   403   403   403   403   404   404   404   403   404
annotation:fill_abstract           POST   slug=corpusP document_id=A.empty_document        login 403   403   403   403   403   403   403   403   403   403
annotation:change_boundaries       POST   slug=corpusA document_id=A.empty_document        login 404   403   403   403   403   302   404   404   403   404
annotation:change_boundaries       POST   slug=corpusA document_id=B.empty_document        login 404   403   403   403   403   404   404   404   403   404
annotation:change_boundaries       POST   slug=corpusP document_id=A.empty_document        login 403   403   403   403   403   403   403   403   403   403
annotation:missing_abstracts       GET    slug=corpusA                                     login 404   403   403   403   403   200   404   404   403   404
annotation:missing_abstracts       GET    slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:doubtful_boundaries     GET    slug=corpusA                                     login 404   403   403   403   403   200   404   404   403   404
annotation:doubtful_boundaries     GET    slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:new_citances            GET    slug=corpusA                                     login 404   403   403   403   403   200   404   404   403   404
annotation:new_citances            GET    slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:new_citances            POST   slug=corpusA                                     login 404   403   403   403   403   302   404   404   403   404
annotation:new_citances            POST   slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403

# --- spreadsheets: the files and jobs of the one who uploaded them ---
annotation:upload_table            GET    slug=corpusA                                     login 404   403   403   403   403   200   404   404   403   404
annotation:upload_table            GET    slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:upload_table            POST   slug=corpusA                                     login 404   403   403   403   403   302   404   404   403   404
annotation:upload_table            POST   slug=corpusP                                     login 403   403   403   403   403   403   403   403   403   403
annotation:map_columns             GET    slug=corpusA token=A.table                       login 404   403   403   403   403   200   404   404   403   404
annotation:map_columns             GET    slug=corpusA token=B.table                       login 404   403   403   403   403   404   404   404   403   404
annotation:map_columns             GET    slug=corpusP token=A.table                       login 403   403   403   403   403   403   403   403   403   403
annotation:map_columns             GET    slug=corpusA token=A.file                        login 404   403   403   403   403   404   404   404   403   404
annotation:map_columns             POST   slug=corpusA token=A.table                       login 404   403   403   403   403   302   404   404   403   404
annotation:map_columns             POST   slug=corpusA token=B.table                       login 404   403   403   403   403   404   404   404   403   404
annotation:map_columns             POST   slug=corpusP token=A.table                       login 403   403   403   403   403   403   403   403   403   403
annotation:checked_table           GET    slug=corpusA token=A.check                       login 404   403   403   403   403   200   404   404   403   404
annotation:checked_table           GET    slug=corpusA token=B.check                       login 404   403   403   403   403   404   404   404   403   404
annotation:checked_table           GET    slug=corpusP token=A.check                       login 403   403   403   403   403   403   403   403   403   403
# A check of another corpus of the same person.
annotation:checked_table           GET    slug=corpusA token=Z.check                       login 404   403   403   403   403   404   404   404   403   404
annotation:checked_table           POST   slug=corpusA token=A.check                       login 404   403   403   403   403   302   404   404   403   404
annotation:checked_table           POST   slug=corpusA token=B.check                       login 404   403   403   403   403   404   404   404   403   404
annotation:checked_table           POST   slug=corpusP token=A.check                       login 403   403   403   403   403   403   403   403   403   403
annotation:checked_table           POST   slug=corpusA token=Z.check                       login 404   403   403   403   403   404   404   404   403   404
annotation:imported_table          GET    slug=corpusA token=A.import                      login 404   403   403   403   403   200   404   404   403   404
annotation:imported_table          GET    slug=corpusA token=B.import                      login 404   403   403   403   403   404   404   404   403   404
annotation:imported_table          GET    slug=corpusP token=A.import                      login 403   403   403   403   403   403   403   403   403   403


# --- data sets in and out: editors of the corpus, admins of the project ---
annotation:import_documents        GET    slug=corpusA                                  login 404   403   403   403   403   200   404   404   403   404
annotation:import_documents        GET    slug=corpusP                                  login 403   403   403   403   403   403   403   403   403   403
annotation:import_documents        POST   slug=corpusA                                  login 404   403   403   403   403   302   404   404   403   404
annotation:import_documents        POST   slug=corpusP                                  login 403   403   403   403   403   403   403   403   403   403
annotation:import_articles         GET    slug=corpusA                                  login 404   403   403   403   403   200   404   404   403   404
annotation:import_articles         GET    slug=corpusP                                  login 403   403   403   403   403   403   403   403   403   403
annotation:import_articles         POST   slug=corpusA                                  login 404   403   403   403   403   302   404   404   403   404
annotation:import_articles         POST   slug=corpusP                                  login 403   403   403   403   403   403   403   403   403   403
annotation:import_claims           GET    slug=A                                        login 404   403   403   403   403   200   404   404   403   404
annotation:import_claims           GET    slug=P                                        login 403   403   403   403   403   403   403   403   403   403
annotation:import_claims           POST   slug=A                                        login 404   403   403   403   403   302   404   404   403   404
annotation:import_claims           POST   slug=P                                        login 403   403   403   403   403   403   403   403   403   403
# A dry run or import is shown in its own place, and to the one who started it.
annotation:import_of_documents     GET    slug=corpusA token=A.documents_check          login 404   403   403   403   403   200   404   404   403   404
annotation:import_of_documents     GET    slug=corpusA token=B.documents_check          login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_documents     GET    slug=corpusP token=A.documents_check          login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_documents     GET    slug=corpusA token=Z.documents_check          login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_documents     POST   slug=corpusA token=A.documents_check          login 404   403   403   403   403   302   404   404   403   404
annotation:import_of_documents     POST   slug=corpusA token=B.documents_check          login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_documents     POST   slug=corpusP token=A.documents_check          login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_documents     POST   slug=corpusA token=Z.documents_check          login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_articles      GET    slug=corpusA token=A.articles_check           login 404   403   403   403   403   200   404   404   403   404
annotation:import_of_articles      GET    slug=corpusA token=B.articles_check           login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_articles      GET    slug=corpusP token=A.articles_check           login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_articles      GET    slug=corpusA token=Z.articles_check           login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_articles      POST   slug=corpusA token=A.articles_check           login 404   403   403   403   403   302   404   404   403   404
annotation:import_of_articles      POST   slug=corpusA token=B.articles_check           login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_articles      POST   slug=corpusP token=A.articles_check           login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_articles      POST   slug=corpusA token=Z.articles_check           login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_claims        GET    slug=A token=A.claims_check                   login 404   403   403   403   403   200   404   404   403   404
annotation:import_of_claims        GET    slug=A token=B.claims_check                   login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_claims        GET    slug=P token=A.claims_check                   login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_claims        GET    slug=A token=Z.claims_check                   login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_claims        POST   slug=A token=A.claims_check                   login 404   403   403   403   403   302   404   404   403   404
annotation:import_of_claims        POST   slug=A token=B.claims_check                   login 404   403   403   403   403   404   404   404   403   404
annotation:import_of_claims        POST   slug=P token=A.claims_check                   login 403   403   403   403   403   403   403   403   403   403
annotation:import_of_claims        POST   slug=A token=Z.claims_check                   login 404   403   403   403   403   404   404   404   403   404
# A download writes nothing.
annotation:export_documents        GET    slug=corpusA                                  login 404   403   403   403   403   200   404   404   403   404
annotation:export_documents        GET    slug=corpusP                                  login 403   403   403   403   403   403   403   403   403   403
annotation:export_documents        POST   slug=corpusA                                  login 404   403   403   403   403   200   404   404   403   404
annotation:export_documents        POST   slug=corpusP                                  login 403   403   403   403   403   403   403   403   403   403
annotation:export_claims           GET    slug=A                                        login 404   403   403   403   403   200   404   404   403   404
annotation:export_claims           GET    slug=P                                        login 403   403   403   403   403   403   403   403   403   403
annotation:export_claims           POST   slug=A                                        login 404   403   403   403   403   200   404   404   403   404
annotation:export_claims           POST   slug=P                                        login 403   403   403   403   403   403   403   403   403   403

# --- benchmarks: A's is private and organised by the admin, B's is public ---
verification:benchmarks            GET    -                                        200   200   200   200   200   200   200   200   200   200   200
verification:benchmark             GET    slug=A.benchmark                         404   404   404   404   404   404   200   404   404   404   404
verification:benchmark             GET    slug=B.benchmark                         200   200   200   200   200   200   200   200   200   200   200
# Claims are public where the benchmark is; hidden gold never leaves, not even for its organiser.
verification:benchmark_file        GET    slug=A.benchmark token=A.claims_file     404   404   404   404   404   404   200   404   404   404   404
verification:benchmark_file        GET    slug=B.benchmark token=B.claims_file     200   200   200   200   200   200   200   200   200   200   200
verification:benchmark_file        GET    slug=B.benchmark token=A.claims_file     404   404   404   404   404   404   404   404   404   404   404
verification:benchmark_file        GET    slug=A.benchmark token=A.gold_file       404   404   404   404   404   404   404   404   404   404   404
verification:benchmark_file        GET    slug=B.benchmark token=B.gold_file       404   404   404   404   404   404   404   404   404   404   404
# Boards stand where the benchmark may be seen; what they tell of scores is tested with them.
verification:board                 GET  slug=A.benchmark                              404   404   404   404   404   404   200   404   404   404   404
verification:board                 GET  slug=B.benchmark                              200   200   200   200   200   200   200   200   200   200   200
verification:phase_board           GET  slug=A.benchmark number=A.phase               404   404   404   404   404   404   200   404   404   404   404
verification:phase_board           GET  slug=B.benchmark number=B.phase               200   200   200   200   200   200   200   200   200   200   200
verification:phase_board           GET  slug=B.benchmark number=77                    404   404   404   404   404   404   404   404   404   404   404
verification:cite_entry            GET  slug=A.benchmark number=A.phase token=A.entry 404   404   404   404   404   404   200   404   404   404   404
verification:cite_entry            GET  slug=B.benchmark number=B.phase token=B.entry 200   200   200   200   200   200   200   200   200   200   200
verification:cite_entry            GET  slug=B.benchmark number=B.phase token=A.entry 404   404   404   404   404   404   404   404   404   404   404
verification:cite_entry            GET  slug=B.benchmark number=B.phase token=B.scored 404   404   404   404   404   404   404   404   404   404   404
verification:download_scorer       GET  -                                             200   200   200   200   200   200   200   200   200   200   200
verification:make_baselines        POST slug=A.benchmark number=A.phase               login 404   404   404   404   404   302   404   404   404   404
verification:make_baselines        POST slug=B.benchmark number=B.phase               login 403   403   403   403   403   403   302   403   403   403
verification:run_system            POST slug=A.benchmark number=A.phase               login 404   404   404   404   404   302   404   404   404   404
verification:run_system            POST slug=B.benchmark number=B.phase               login 403   403   403   403   403   403   302   403   403   403
verification:board_csv             GET  slug=A.benchmark number=A.phase               404   404   404   404   404   404   200   404   404   404   404
verification:board_csv             GET  slug=B.benchmark number=B.phase               200   200   200   200   200   200   200   200   200   200   200
verification:board_csv             GET  slug=B.benchmark number=77                    404   404   404   404   404   404   404   404   404   404   404
verification:board_json            GET  slug=A.benchmark number=A.phase               404   404   404   404   404   404   200   404   404   404   404
verification:board_json            GET  slug=B.benchmark number=B.phase               200   200   200   200   200   200   200   200   200   200   200
verification:board_json            GET  slug=B.benchmark number=77                    404   404   404   404   404   404   404   404   404   404   404

# --- submissions: the annotator's own, of which one is published in each ---
# Whoever sees a benchmark may submit to it.
verification:new_submission        GET    slug=A.benchmark number=A.phase          login 404   404   404   404   404   200   404   404   404   404
verification:new_submission        GET    slug=B.benchmark number=B.phase          login 200   200   200   200   200   200   200   200   200   200
verification:new_submission        POST   slug=A.benchmark number=A.phase          login 404   404   404   404   404   302   404   404   404   404
verification:new_submission        POST   slug=B.benchmark number=B.phase          login 302   302   302   302   302   302   302   302   302   302
# Organisers see all submissions to their benchmark, and act for nobody.
verification:submission            GET    token=A.scored                           404   404   404   200   404   404   200   404   404   404   404
verification:submission            GET    token=A.upload                           404   404   404   200   404   404   200   404   404   404   404
# Who may not know of the benchmark does not see its board either.
verification:submission            GET    token=A.entry                            404   404   404   200   404   404   200   404   404   404   404
verification:submission            GET    token=B.entry                            200   200   200   200   200   200   200   200   200   200   200
verification:submission            GET    token=B.scored                           404   404   404   404   404   404   404   200   404   404   404
verification:submit                POST   token=A.upload                           login 404   404   302   404   404   403   404   404   404   404
verification:submit                POST   token=A.scored                           login 404   404   away  404   404   403   404   404   404   404
verification:submit                POST   token=B.scored                           login 404   404   404   404   404   404   403   404   404   404
verification:submit                POST   token=B.entry                            login 403   403   403   403   403   403   403   403   403   403
verification:benchmark_submissions GET    slug=A.benchmark                         login 404   404   404   404   404   200   404   404   404   404
verification:benchmark_submissions GET    slug=B.benchmark                         login 200   200   200   200   200   200   200   200   200   200
verification:submissions           GET    -                                        login 200   200   200   200   200   200   200   200   200   200
verification:publish               POST   token=A.scored                           login 404   404   302   404   404   403   404   404   404   404
verification:publish               POST   token=A.upload                           login 404   404   away  404   404   403   404   404   404   404
verification:publish               POST   token=B.entry                            login 403   403   403   403   403   403   403   403   403   403
verification:withdraw              POST   token=A.entry                            login 404   404   302   404   404   403   404   404   404   404
verification:withdraw              POST   token=A.scored                           login 404   404   away  404   404   403   404   404   404   404
verification:withdraw              POST   token=B.entry                            login 403   403   403   403   403   403   403   403   403   403
verification:put_back              POST   token=A.withdrawn                        login 404   404   302   404   404   403   404   404   404   404
verification:put_back              POST   token=A.entry                            login 404   404   away  404   404   403   404   404   404   404
verification:put_back              POST   token=B.entry                            login 403   403   403   403   403   403   403   403   403   403
verification:describe              GET    token=A.scored                           login 404   404   200   404   404   403   404   404   404   404
verification:describe              GET    token=B.entry                            login 403   403   403   403   403   403   403   403   403   403
verification:describe              POST   token=A.scored                           login 404   404   302   404   404   403   404   404   404   404
verification:describe              POST   token=B.entry                            login 403   403   403   403   403   403   403   403   403   403
# While the gold is hidden, errors are for organisers; whoever submitted waits for the close.
verification:submission_claims     GET    token=A.scored                           login 404   404   403   404   404   200   404   404   404   404
verification:submission_claims     GET    token=B.entry                            login 403   403   403   403   403   403   200   403   403   403
verification:tag_claim             POST   token=A.scored                           login 404   404   403   404   404   302   404   404   404   404
verification:tag_claim             POST   token=B.entry                            login 403   403   403   403   403   403   302   403   403   403
verification:compare_runs          GET    token=A.scored                           login 404   404   403   404   404   200   404   404   404   404
verification:compare_runs          GET    token=B.entry                            login 403   403   403   403   403   403   200   403   403   403
# The other run is A's entry, which is of another phase than B's.
verification:compare_runs          POST   token=A.scored                           login 404   404   403   404   404   302   404   404   404   404
verification:compare_runs          POST   token=B.entry                            login 403   403   403   403   403   403   404   403   403   403
# The predictions themselves are for those who made them and for organisers, on the board or not.
verification:download_predictions  GET    token=A.scored                           404   404   404   200   404   404   200   404   404   404   404
verification:download_predictions  GET    token=B.entry                            403   403   403   403   403   403   403   200   403   403   403

# --- organising a benchmark: A's is private, B's public ---
verification:new_benchmark         GET    -                                        login 200   200   200   200   200   200   200   200   200   200
verification:create_benchmark      GET    task=scifact_pipeline                    login 200   200   200   200   200   200   200   200   200   200
verification:create_benchmark      GET    task=nonsense                            login 404   404   404   404   404   404   404   404   404   404
verification:create_benchmark      POST   task=scifact_pipeline                    login 302   302   302   302   302   302   302   302   302   302
verification:organise              GET    slug=A.benchmark                         login 404   404   404   404   404   200   404   404   404   404
verification:organise              GET    slug=B.benchmark                         login 403   403   403   403   403   403   200   403   403   403
verification:edit_benchmark        GET    slug=A.benchmark                         login 404   404   404   404   404   200   404   404   404   404
verification:edit_benchmark        GET    slug=B.benchmark                         login 403   403   403   403   403   403   200   403   403   403
verification:edit_benchmark        POST   slug=A.benchmark                         login 404   404   404   404   404   302   404   404   404   404
verification:edit_benchmark        POST   slug=B.benchmark                         login 403   403   403   403   403   403   302   403   403   403
verification:new_gold              GET    slug=A.benchmark                         login 404   404   404   404   404   200   404   404   404   404
verification:new_gold              GET    slug=B.benchmark                         login 403   403   403   403   403   403   200   403   403   403
verification:new_gold              POST   slug=A.benchmark                         login 404   404   404   404   404   302   404   404   404   404
verification:new_gold              POST   slug=B.benchmark                         login 403   403   403   403   403   403   302   403   403   403
verification:new_phase             GET    slug=A.benchmark                         login 404   404   404   404   404   200   404   404   404   404
verification:new_phase             GET    slug=B.benchmark                         login 403   403   403   403   403   403   200   403   403   403
verification:new_phase             POST   slug=A.benchmark                         login 404   404   404   404   404   302   404   404   404   404
# The gold that is sent belongs to benchmark A.
verification:new_phase             POST   slug=B.benchmark                         login 403   403   403   403   403   403   200   403   403   403
verification:edit_phase            GET    slug=A.benchmark number=A.phase          login 404   404   404   404   404   200   404   404   404   404
verification:edit_phase            GET    slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   200   403   403   403
verification:edit_phase            POST   slug=A.benchmark number=A.phase          login 404   404   404   404   404   302   404   404   404   404
verification:edit_phase            POST   slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   302   403   403   403
# The phase has opened, so that its opening stays.
verification:move_opening          GET    slug=A.benchmark number=A.phase          login 404   404   404   404   404   200   404   404   404   404
verification:move_opening          GET    slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   200   403   403   403
verification:move_opening          POST   slug=A.benchmark number=A.phase          login 404   404   404   404   404   200   404   404   404   404
verification:move_opening          POST   slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   200   403   403   403
verification:move_deadline         GET    slug=A.benchmark number=A.phase          login 404   404   404   404   404   200   404   404   404   404
verification:move_deadline         GET    slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   200   403   403   403
verification:move_deadline         POST   slug=A.benchmark number=A.phase          login 404   404   404   404   404   302   404   404   404   404
verification:move_deadline         POST   slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   302   403   403   403
verification:announce              POST   slug=A.benchmark                         login 404   404   404   404   404   302   404   404   404   404
verification:announce              POST   slug=B.benchmark                         login 403   403   403   403   403   403   302   403   403   403
verification:invite_organiser      POST   slug=A.benchmark                         login 404   404   404   404   404   200   404   404   404   404
verification:invite_organiser      POST   slug=B.benchmark                         login 403   403   403   403   403   403   200   403   403   403
verification:join_organisers       GET    token=A.organisers_link                         200   200   200   200   200   200   200   200   200   200   200
verification:join_organisers       GET    token=B.organisers_link                         200   200   200   200   200   200   200   200   200   200   200
verification:join_organisers       GET    token=nonsense                                  404   404   404   404   404   404   404   404   404   404   404
verification:accept_organising     POST   token=A.organisers_link                         login 302   302   302   302   302   away  302   302   302   302
verification:accept_organising     POST   token=B.organisers_link                         login 302   302   302   302   302   302   away  302   302   302
verification:accept_organising     POST   token=nonsense                                  login 404   404   404   404   404   404   404   404   404   404
verification:remove_organiser      POST   slug=A.benchmark pk=A.second_organiser   login 404   404   404   404   404   302   404   404   404   404
verification:remove_organiser      POST   slug=B.benchmark pk=B.second_organiser   login 403   403   403   403   403   403   302   403   403   403
verification:remove_organiser      POST   slug=A.benchmark pk=B.second_organiser   login 404   404   404   404   404   404   404   404   404   404
# The scores of a phase, blind or not, are its organisers' alone.
verification:phase_submissions     GET    slug=A.benchmark number=A.phase          login 404   404   404   404   404   200   404   404   404   404
verification:phase_submissions     GET    slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   200   403   403   403
verification:download_runs         GET    slug=A.benchmark number=A.phase          login 404   404   404   404   404   200   404   404   404   404
verification:download_runs         GET    slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   200   403   403   403
verification:score_again           POST   slug=A.benchmark number=A.phase          login 404   404   404   404   404   302   404   404   404   404
verification:score_again           POST   slug=B.benchmark number=B.phase          login 403   403   403   403   403   403   302   403   403   403
verification:disqualify            GET    slug=A.benchmark token=A.entry           login 404   404   404   404   404   200   404   404   404   404
verification:disqualify            GET    slug=B.benchmark token=B.entry           login 403   403   403   403   403   403   200   403   403   403
verification:disqualify            GET    slug=A.benchmark token=B.entry           login 404   404   404   404   404   404   404   404   404   404
verification:disqualify            POST   slug=A.benchmark token=A.entry           login 404   404   404   404   404   302   404   404   404   404
verification:disqualify            POST   slug=B.benchmark token=B.entry           login 403   403   403   403   403   403   302   403   403   403
verification:disqualify            POST   slug=A.benchmark token=B.entry           login 404   404   404   404   404   404   404   404   404   404

# --- teams: A's is the annotator's, B's that of B's admin; whoever has the link may join ---
verification:teams                 GET    -                                        login 200   200   200   200   200   200   200   200   200   200
verification:teams                 POST   -                                        login 302   302   302   302   302   302   302   302   302   302
verification:team                  GET    pk=A.crew                                login 404   404   200   404   404   404   404   404   404   404
verification:team                  GET    pk=B.crew                                login 404   404   404   404   404   404   200   404   404   404
verification:team                  POST   pk=A.crew                                login 404   404   302   404   404   404   404   404   404   404
verification:team                  POST   pk=B.crew                                login 404   404   404   404   404   404   302   404   404   404
verification:renew_team_link       POST   pk=A.crew                                login 404   404   302   404   404   404   404   404   404   404
verification:renew_team_link       POST   pk=B.crew                                login 404   404   404   404   404   404   302   404   404   404
verification:leave_team            POST   pk=A.crew                                login 404   404   302   404   404   404   404   404   404   404
verification:leave_team            POST   pk=B.crew                                login 404   404   404   404   404   404   302   404   404   404
verification:join_team             GET    token=A.crew_link                        200   200   200   200   200   200   200   200   200   200   200
verification:join_team             GET    token=B.crew_link                        200   200   200   200   200   200   200   200   200   200   200
verification:join_team             GET    token=nonsense                           404   404   404   404   404   404   404   404   404   404   404
verification:accept_team           POST   token=A.crew_link                        login 302   302   away  302   302   302   302   302   302   302
verification:accept_team           POST   token=B.crew_link                        login 302   302   302   302   302   302   away  302   302   302
verification:accept_team           POST   token=nonsense                           login 404   404   404   404   404   404   404   404   404   404

# --- evidence for claims: whoever has an address, also of a batch; B's corpus is not public ---
verification:find_evidence         GET  -                                               200   200   200   200   200   200   200   200   200   200   200
verification:find_evidence         POST -                                               302   302   302   302   302   302   302   302   302   302   302
verification:evidence_answer       GET  token=A.saved                                   200   200   200   200   200   200   200   200   200   200   200
verification:evidence_answer       GET  token=A.fresh_check                             200   200   200   200   200   200   200   200   200   200   200
verification:evidence_answer       GET  token=B.saved                                   404   404   404   404   404   404   404   404   404   404   404
verification:evidence_json         GET  token=A.saved                                   200   200   200   200   200   200   200   200   200   200   200
verification:evidence_json         GET  token=B.saved                                   404   404   404   404   404   404   404   404   404   404   404
verification:evidence_csv          GET  token=A.saved                                   200   200   200   200   200   200   200   200   200   200   200
verification:evidence_csv          GET  token=B.saved                                   404   404   404   404   404   404   404   404   404   404   404
verification:keep_evidence         POST token=A.fresh_check                             302   302   302   302   302   302   302   302   302   302   302
verification:keep_evidence         POST token=A.saved                                   away  away  away  away  away  away  away  away  away  away  away
verification:keep_evidence         POST token=B.saved                                   404   404   404   404   404   404   404   404   404   404   404
# An answer that somebody asked with an account is theirs to take back.
verification:release_evidence      POST token=A.saved                                   away  away  away  302   away  away  away  away  away  away  away
verification:release_evidence      POST token=A.fresh_check                             away  away  away  away  away  away  away  away  away  away  away
verification:release_evidence      POST token=B.saved                                   404   404   404   404   404   404   404   404   404   404   404
# Only what is kept can be marked.
verification:mark_evidence         POST token=A.saved                                   login 302   302   302   302   302   302   302   302   302   302
verification:mark_evidence         POST token=A.fresh_check                             login away  away  away  away  away  away  away  away  away  away
verification:mark_evidence         POST token=B.saved                                   login 404   404   404   404   404   404   404   404   404   404
verification:claim_batches         GET  -                                               login 200   200   200   200   200   200   200   200   200   200
verification:new_claim_batch       GET  -                                               login 200   200   200   200   200   200   200   200   200   200
verification:new_claim_batch       POST -                                               login 302   302   302   302   302   302   302   302   302   302
verification:claim_batch           GET  token=A.batch                                   login 200   200   200   200   200   200   200   200   200   200
verification:claim_batch           GET  token=B.batch                                   login 404   404   404   404   404   404   404   404   404   404
verification:batch_report          GET  token=A.batch                                   login 200   200   200   200   200   200   200   200   200   200
verification:batch_report          GET  token=B.batch                                   login 404   404   404   404   404   404   404   404   404   404
verification:batch_lines           GET  token=A.batch                                   login 200   200   200   200   200   200   200   200   200   200
verification:batch_lines           GET  token=B.batch                                   login 404   404   404   404   404   404   404   404   404   404

# --- jobs and files: the owner's alone; who runs the instance may see and stop jobs ---
corpus:job                         GET    token=A.job                              login 404   404   200   404   404   404   404   404   404   200
corpus:job                         GET    token=B.job                              login 404   404   404   404   404   404   404   404   404   200
corpus:cancel_job                  POST   token=A.job                              login 404   404   302   404   404   404   404   404   404   302
corpus:cancel_job                  POST   token=B.job                              login 404   404   404   404   404   404   404   404   404   302
corpus:download_file               GET    token=A.file                             login 404   404   200   404   404   404   404   404   404   404
corpus:download_file               GET    token=B.file                             login 404   404   404   404   404   404   404   404   404   404
"""

# Addresses that have no lines here, and why. A prefix of the path, not a name.
NOT_OURS = {
    "accounts/": "allauth's own pages, tested there; tests/config/test_mail_and_accounts"
    " and tests/templates/test_account_pages walk those that we changed",
    "readyz": "the same for everybody by design; its answer depends on a broker, which"
    " tests/config/test_health.py starts",
}
