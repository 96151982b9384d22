"""Standard errors of means over worlds from several chains: as large as such means scatter."""

import numpy as np
import pytest

from millebornes.search.evaluation import variance_of_mean


@pytest.mark.parametrize(("chains", "apart"), [(2, 0.3), (8, 0.0), (8, 0.3), (20, 1.0)])
def test_it_is_by_how_much_means_scatter(chains: int, apart: float) -> None:
    rng = np.random.default_rng(chains)
    sizes = [50 if n < chains // 2 else 100 for n in range(chains)]
    true, told = [], []
    for _ in range(400):
        parts = [rng.normal(rng.normal(0, apart), 1.0, size) for size in sizes]
        worlds = np.concatenate(parts)
        true.append(worlds.mean())
        told.append(variance_of_mean(1.0, sizes, [float(part.mean()) for part in parts], 1e9))
    usual = 1 if apart == 0 else (chains - 1) / (chains + 1)  # what is usual, here nothing, counts as two chains
    expected = 1 / sum(sizes) + usual * apart**2 * sum(size**2 for size in sizes) / sum(sizes) ** 2
    assert np.mean(told) == pytest.approx(expected, rel=0.25)
    assert np.var(true) == pytest.approx(1 / sum(sizes) + (expected - 1 / sum(sizes)) / usual, rel=0.25)


def test_of_a_single_chain_only_what_is_usual_is_known() -> None:
    assert variance_of_mean(4.0, [100], [3.0], 1000.0) == pytest.approx(4 / 100 + 4 / 800)
    assert variance_of_mean(0.0, [100, 100], [3.0, 3.0], 1000.0) == 0
