import signal

import pytest


@pytest.fixture
def interruptible():
    """Ctrl-C is heard, though programs in the background of a shell begin with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
