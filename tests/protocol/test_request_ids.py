"""How often request ids collide: measured beside calculated."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from silp_cli.protocol.request_ids import DIGITS, birthday_probability, expected_collisions, measure


def test_the_drafts_statements() -> None:
    """16 bits: about 99.9 % for at least one collision among 1,000; 5 duplicates are within the spread of 7.6."""
    four, six, eight = measure(1000, [4, 6, 8], trials=300)
    assert birthday_probability(1000, 4) == pytest.approx(0.9995, abs=5e-5)
    assert four.trials_with_collision / four.trials > 0.99
    assert 1000 - four.unique == pytest.approx(7.58, abs=3 * math.sqrt(7.58 / 300))
    assert abs(5 - expected_collisions(1000, 4)) < 2 * math.sqrt(7.58)
    assert six.trials_with_collision / six.trials == pytest.approx(0.029, abs=0.03)
    assert eight.unique == 1000


@pytest.mark.parametrize(("n", "digits"), [(2, 1), (5, 1), (16, 1), (17, 1), (30, 2), (300, 2)])
def test_the_probability_is_the_exact_one(n: int, digits: int) -> None:
    apart = Fraction(1)
    for index in range(n):
        apart *= Fraction(max(16**digits - index, 0), 16**digits)
    assert birthday_probability(n, digits) == pytest.approx(float(1 - apart), rel=1e-12)


@pytest.mark.parametrize("digits", [1, 4, 8, 13, 16])
@pytest.mark.parametrize("n", [1, 2, 3, 40])
def test_the_expected_number_is_the_exact_one(n: int, digits: int) -> None:
    space = 16**digits
    exact = n - space * (1 - (1 - Fraction(1, space)) ** n)
    assert expected_collisions(n, digits) == pytest.approx(float(exact), rel=1e-12, abs=0)


@pytest.mark.parametrize("digits", DIGITS)
def test_one_id_collides_with_nothing(digits: int) -> None:
    (found,) = measure(1, [digits], trials=1)
    row = found.to_dict()
    for key in ("collisions", "expected_collisions", "duplicate_fraction", "p_collision", "p_birthday"):
        assert str(row[key]) == "0.0"  # neither noise nor a negative zero


def test_few_ids_of_many_bits_do_not_round_to_nothing() -> None:
    assert birthday_probability(1000, 8) == pytest.approx(1000 * 999 / 2 / 2**32, rel=1e-3)
    assert expected_collisions(1000, 8) == pytest.approx(1000 * 999 / 2 / 2**32, rel=1e-2)


def test_measured_and_calculated_agree() -> None:
    (found,) = measure(100, [3], trials=500, seed=1)
    p = birthday_probability(100, 3)
    spread = math.sqrt(p * (1 - p) / 500)
    assert found.trials_with_collision / 500 == pytest.approx(p, abs=4 * spread)


def test_a_seed_repeats_a_run() -> None:
    assert list(measure(50, [2, 3], 5, 1)) == list(measure(50, [2, 3], 5, 1))
    assert list(measure(500, [3], 5, 1)) != list(measure(500, [3], 5, 2))
