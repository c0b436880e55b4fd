"""The seed of a script's random choices."""
import os
import time


def chosen_seed():
    """Returns $SLUICE_SEED, so that a run can be repeated and CI's samples are always the same; without it, the time."""
    return int(os.environ.get("SLUICE_SEED", time.time()))
