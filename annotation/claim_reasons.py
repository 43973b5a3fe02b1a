"""What each check of a claim says, with an invented example. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a check warns: its name, what to do, and an invented example."""

    title: str
    advice: str
    example_bad: str
    example_good: str


REASONS: dict[str, Reason] = {
    "not_atomic": Reason(
        "Two findings",
        "This reads like two findings. Write each as a claim of its own, so that an "
        "abstract can support one and refute the other.",
        "Garlic oil lowers blood pressure and prevents colds.",
        "Garlic oil lowers blood pressure.",
    ),
    "dangling": Reason(
        "Points outside the claim",
        "A reader who sees only the claim cannot know what this word points to. Name "
        "the thing itself.",
        "This study found that it shortens labour.",
        "Walking during early labour shortens labour.",
    ),
    "acronym": Reason(
        "Abbreviation not written out",
        "Write this abbreviation out at least once.",
        "Night shifts raise the risk of CVD.",
        "Night shifts raise the risk of cardiovascular disease.",
    ),
    "hedge": Reason(
        "Hedged",
        "With this word no result could refute the claim. State the finding plainly; "
        "the label says how well it holds.",
        "Green tea might possibly protect the liver.",
        "Green tea protects the liver.",
    ),
    "opinion": Reason(
        "Opinion or advice",
        "An abstract can show what is, not what one ought to do or how remarkable it "
        "is. State what was found.",
        "Schools should ban phones.",
        "Phone bans in schools raise test scores.",
    ),
    "number_without_unit": Reason(
        "Number without a unit",
        "Say what this number counts or measures.",
        "The new valve lowers pressure by 12.",
        "The new valve lowers pressure by 12 mmHg.",
    ),
    "copied": Reason(
        "Copied word for word",
        "These words stand in the source just so. Say the finding in your own words, "
        "and leave out what does not belong to it.",
        "Interestingly, as shown before, bees return sooner on warm days [4].",
        "Bees return to the hive sooner on warm days.",
    ),
    "too_long": Reason(
        "Longer than usual",
        "Leave out what a reader does not need in order to check it.",
        "In a cohort that was followed by telephone over many years in five towns, "
        "tea drinkers, as compared with all others, had fewer falls.",
        "Tea drinkers have fewer falls.",
    ),
}
