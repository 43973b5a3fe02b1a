"""Hypotheses proposed for invented questions, and how close they come to real ones."""

from __future__ import annotations

import pytest

from annotation.hypotheses import (
    CHECK_VERB,
    NAME_SUBJECT,
    REWRITE,
    propose_hypothesis,
)
from benchmarks.hypotheses import core_pairs, shares
from tests.paths import shared_file

PROPOSED = [
    ("Does vitamin D increase bone density?", "Vitamin D increases bone density."),
    ("Do dogs lower blood pressure?", "Dogs lower blood pressure."),
    ("Did the lockdown reduce air pollution?", "The lockdown reduced air pollution."),
    ("Did lockdowns lead to weight gain?", "Lockdowns led to weight gain."),
    (
        "Is screen time associated with myopia?",
        "Screen time is associated with myopia.",
    ),
    ("Are night shifts linked to cancer?", "Night shifts are linked to cancer."),
    ("Is obesity a risk factor for asthma?", "Obesity is a risk factor for asthma."),
    ("Is the new vaccine safe in pregnancy?", "The new vaccine is safe in pregnancy."),
    ("Was the reform effective?", "The reform was effective."),
    ("What is the effect of sleep on memory?", "Sleep has an effect on memory."),
    (
        "What are the effects of phone bans on grades?",
        "Phone bans have effects on grades.",
    ),
    (
        "What is the impact of later school starts on attendance?",
        "Later school starts have an impact on attendance.",
    ),
    ("What effect does caffeine have on sleep?", "Caffeine has an effect on sleep."),
    (
        "What is the relationship between loneliness and dementia?",
        "There is a relationship between loneliness and dementia.",
    ),
    (
        "What is the association between gut bacteria and mood?",
        "There is an association between gut bacteria and mood.",
    ),
    ("What role does stress play in relapse?", "Stress plays a role in relapse."),
    (
        "What is the role of zinc in wound healing?",
        "Zinc plays a role in wound healing.",
    ),
    ("To what extent does homework improve grades?", "Homework improves grades."),
    ("To what extent are twins alike in height?", "Twins are alike in height."),
    ("To what degree is intelligence heritable?", "Intelligence is heritable."),
    ("How does noise affect learning?", "Noise affects learning."),
    ("How do parents influence diet?", "Parents influence diet."),
    ("How effective are masks in schools?", "Masks are effective in schools."),
    (
        "How effective is cognitive therapy for insomnia?",
        "Cognitive therapy is effective for insomnia.",
    ),
    ("Why does smoking cause cancer?", "Smoking causes cancer."),
    ("Can meditation reduce pain?", "Meditation can reduce pain."),
    (
        "Could green roofs lower indoor temperatures?",
        "Green roofs could lower indoor temperatures.",
    ),
    ("Has remote work increased loneliness?", "Remote work has increased loneliness."),
    ("Have phone bans improved grades?", "Phone bans have improved grades."),
    ("Will warmer winters spread ticks?", "Warmer winters will spread ticks."),
    ("Is there evidence that tea prevents colds?", "Tea prevents colds."),
    (
        "Is there any link between tea and sleep?",
        "There is a link between tea and sleep.",
    ),
    ("Does tea have any effect on sleep?", "Tea has an effect on sleep."),
    ("Is it true that cats purr at 25 Hz?", "Cats purr at 25 Hz."),
    (
        "Does the use of phones at night delay sleep?",
        "The use of phones at night delays sleep.",
    ),
    ("Does an increase in tax reduce smoking?", "An increase in tax reduces smoking."),
    ("Do men have more strokes than women?", "Men have more strokes than women."),
    (
        "Are children more likely than adults to transmit the virus?",
        "Children are more likely than adults to transmit the virus.",
    ),
    ("Tea prevents colds", "Tea prevents colds."),
    ("Whether exercise improves mood", "Exercise improves mood."),
    (
        "Does mRNA vaccination protect against infection?",
        "mRNA vaccination protects against infection.",
    ),
    (
        "mRNA vaccination protects against infection?",
        "mRNA vaccination protects against infection.",
    ),
    ("Is mRNA stable at room temperature?", "mRNA is stable at room temperature."),
    ("Does playing outside improve eyesight?", "Playing outside improves eyesight."),
    (
        "Do video games and television harm sleep?",
        "Video games and television harm sleep.",
    ),
    (
        "Does social media use in adolescence lead to depression?",
        "Social media use in adolescence leads to depression.",
    ),
    (
        "Are teenagers who use phones at night more tired?",
        "Teenagers who use phones at night are more tired.",
    ),
    ("Is loneliness increasing?", "Loneliness is increasing."),
    (
        "Is air pollution increasing the risk of dementia?",
        "Air pollution is increasing the risk of dementia.",
    ),
    ("Does cannabis use worsen psychosis?", "Cannabis use worsens psychosis."),
    ("Should schools start later?", "Schools should start later."),
    (
        "Is breastfeeding protective against asthma?",
        "Breastfeeding is protective against asthma.",
    ),
    ("Do antidepressants work?", "Antidepressants work."),
    ("Does it matter who teaches?", "It matters who teaches."),
    (
        "Does body weight differ between night and day workers?",
        "Body weight differs between night and day workers.",
    ),
    ("Are vaccines and autism related?", "Vaccines and autism are related."),
    (
        "Were schools a driver of the second wave?",
        "Schools were a driver of the second wave.",
    ),
    (
        "Does reading to infants speed up language development?",
        "Reading to infants speeds up language development.",
    ),
    (
        "Does homeopathy work better than placebo?",
        "Homeopathy works better than placebo.",
    ),
    ("Is coffee good for the heart?", "Coffee is good for the heart."),
    ("DOES LATE HOMEWORK DELAY SLEEP?", "LATE HOMEWORK DELAYS SLEEP"),
    ("Doctors should rest. ", "Doctors should rest."),
    ("Did warmer springs harm bees?", "Warmer springs harmed bees."),
]
UNSURE = [
    (
        "What increases the risk of falls?",
        "… increases the risk of falls.",
        NAME_SUBJECT,
    ),
    ("Which factors predict relapse?", "… predict relapse.", NAME_SUBJECT),
    ("How many children walk to school?", "How many children walk to school.", REWRITE),
    (
        "What happens to memory during sleep?",
        "What happens to memory during sleep.",
        REWRITE,
    ),
    ("Does grass glimmer?", "Grass glimmer.", CHECK_VERB),
    ("Is the moon cheese?", "The moon is cheese.", CHECK_VERB),
]


@pytest.mark.parametrize(("question", "hypothesis"), PROPOSED)
def test_a_question_becomes_a_statement(question: str, hypothesis: str) -> None:
    proposal = propose_hypothesis(question)
    assert proposal.text == hypothesis
    assert proposal.is_sure


@pytest.mark.parametrize(("question", "hypothesis", "hint"), UNSURE)
def test_what_the_rules_do_not_know_is_said(
    question: str, hypothesis: str, hint: str
) -> None:
    proposal = propose_hypothesis(question)
    assert (proposal.text, proposal.hint) == (hypothesis, hint)
    assert not proposal.is_sure


@pytest.mark.parametrize(
    "text",
    ["", "?", " \n", "Is", "Does it", "What?", "Is is?", "how", "<b>?", "Do a b"],
)
def test_odd_texts_are_no_trouble(text: str) -> None:
    assert isinstance(propose_hypothesis(text).text, str)


def test_blanks_and_marks_do_not_matter() -> None:
    assert propose_hypothesis("  Does\n tea  prevent colds ??").text == (
        "Tea prevents colds."
    )


def test_a_proposal_is_not_proposed_again() -> None:
    for _, hypothesis in PROPOSED:
        assert propose_hypothesis(hypothesis).text == hypothesis


def test_most_published_hypotheses_are_proposed_as_they_are() -> None:
    """Of the 64 different pairs of CoRe, 59 are equal; four of the five are slips."""
    rows = core_pairs(shared_file("data/core"))
    assert len(rows) == 509
    equal, close = shares(rows)
    assert equal >= 0.98
    assert close >= 0.99
    equal, close = shares(list(dict.fromkeys(rows)))
    assert equal >= 0.92
    assert close >= 0.98
