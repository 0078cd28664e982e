"""What all tests share: where things are, and how the real command is run."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# Time limits of single examples say more about the machine than about the code; tests/bench measures.
settings.register_profile(
    "silp", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("silp")

# A background job of a script has SIGINT ignored, and every child inherits that; what tests start must not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
