# SPDX-License-Identifier: Apache-2.0
"""The bars that the models and the account are held to against a GPU."""

MODEL_MEDIAN, MODEL_WORST = 0.10, 0.25
SAME = 0.05  # a speedup this close to 1 has no sign
ACCOUNT = 0.05  # of the average of active threads, unless a reason is named
KNOWN = 0.03  # and with a reason, of the difference that is known


def wrong_sign(row):
    """Whether the model says faster where it is slower, or the other way."""
    gain, predicted = row["measured"] - 1, row["predicted"] - 1
    return abs(gain) > SAME and gain * predicted <= 0
