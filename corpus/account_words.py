"""The words of the pages about accounts, which the package for accounts brings. Pure.

Those pages are its own templates in our elements. Where it says things in other words
and capitals than the rest of the site, ours are put in; what it may say in a later
version and is not listed here stays as it is.
"""

from __future__ import annotations

import re

_OURS = {
    # Whole sentences before the words that stand in them.
    "We are sorry, but the sign up is currently closed.": (
        "Nobody can create an account at the moment."
    ),
    "to finalize the signup process": "to finish creating your account",
    "you have not created an account yet, then please": "you have no account yet,",
    "Already have an account? Then please": "If you have one already,",
    "logging in to our site": "signing in to this site",
    "attempting to login via": "signing in by",
    # What is done.
    "Sign Up Closed": "No new accounts at the moment",
    "Sign Up": "Create an account",
    "Signup": "Create an account",
    "sign up": "create an account",
    "Sign In Via": "Sign in via",
    "Sign In": "Sign in",
    "Sign Out": "Sign out",
    "Login Cancelled": "Signing in was cancelled",
    "Third-Party Login Failure": "Signing in elsewhere failed",
    # Sentence case.
    "Account Connections": "Connected accounts",
    "Account Inactive": "Account inactive",
    "Activate Authenticator App": "Activate the authenticator app",
    "Deactivate Authenticator App": "Deactivate the authenticator app",
    "Authenticator App": "Authenticator app",
    "Add Email Address": "Add an email address",
    "Add Email": "Add the address",
    "Email Addresses": "Email addresses",
    "Email Address": "Email address",
    "Email Verification": "Email verification",
    "Please Confirm Your Email Address": "Confirm your email address",
    "Make Primary": "Make it the primary one",
    "Re-send Verification": "Send the confirmation again",
    "Add a Third-Party Account": "Connect another account",
    "Verify Your Email Address": "Verify your email address",
    "Confirm Email Address": "Confirm the email address",
    "Confirm Access": "Confirm that it is you",
    "Change Password": "Change the password",
    "Change Email": "Change the email address",
    "Set Password": "Set a password",
    "Password Reset": "Reset your password",
    "Reset My Password": "Reset my password",
    "Current Password": "Current password",
    "New Password": "New password",
    "Remember Me": "Stay signed in here",
    "Bad Token": "This link no longer works",
    "Recovery Codes": "Recovery codes",
    "Two-Factor Authentication": "Two-factor authentication",
    "Enter Password Reset Code": "Enter the code from the email",
    "Enter Email Verification Code": "Enter the code from the email",
}
# The longest first: "Sign In Via" is more than "Sign In".
_THEIRS = re.compile(
    "|".join(rf"\b{re.escape(w)}(?!\w)" for w in sorted(_OURS, key=len, reverse=True))
)


def in_our_words(text: str) -> str:
    """Return a page, or a piece of one, with our words for theirs."""
    return _THEIRS.sub(lambda found: _OURS[found[0]], text)
