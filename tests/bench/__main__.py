"""Print how fast attention_core is beside what the hardware allows, in ratios of one run.

Times are medians of interleaved rounds on the same arrays, so that a slow moment of the machine
meets every row alike. Memory is what tracemalloc sees NumPy allocate beyond the inputs at the peak.
"""

import argparse
import math
import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import threadpoolctl
import torch
import torch.nn.functional as F

from attention_core import online_softmax_attention, scaled_dot_product_attention

HEAD = 64
SIZES = (256, 1024, 4096)
GROWTH_SIZES = (256, 512, 1024, 2048, 4096, 8192)
TEXTBOOK_LIMIT = 1024  # the textbook version takes a Python call per row
Task = Callable[[], object]


def inputs(n: int) -> list[np.ndarray]:
    """Draw query, key and value of one sequence, float32."""
    rng = np.random.default_rng(0)
    return [rng.normal(size=(n, HEAD)).astype(np.float32) for _ in range(3)]


def textbook(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Attention as books write it: softmax as a function of one row, applied along the axis."""

    def softmax_of_row(row: np.ndarray) -> np.ndarray:
        powers = np.exp(row - row.max())
        return powers / powers.sum()

    scores = query @ key.T / np.sqrt(query.shape[-1])
    return np.apply_along_axis(softmax_of_row, 1, scores) @ value


def floor_tasks(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> dict[str, Task]:
    """The three operations that no direct form avoids, each alone and into memory at hand."""
    scores = query @ key.T
    exponents = scores / np.float32(math.sqrt(HEAD)) - np.float32(3)
    square, mixed = np.empty_like(scores), np.empty_like(value)
    return {
        "Q @ K.T": lambda: np.matmul(query, key.T, out=square),
        "exp": lambda: np.exp(exponents, out=square),
        "weights @ V": lambda: np.matmul(exponents, value, out=mixed),
    }


def progress(text: str) -> None:
    """Show what is being measured on one line that the next text overwrites; not in a log."""
    if sys.stdout.isatty():
        print(f"\r{text:24}", end="\r", flush=True)


def rounds_of(tasks: dict[str, Task], rounds: int) -> dict[str, list[float]]:
    """Time every task once per round, in turn, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()  # first touch of memory and threads
    for number in range(rounds):
        progress(f"  round {number + 1}/{rounds}")
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            times[name].append(time.perf_counter() - start)
    progress("")
    return times


def ratio(times: list[float], base: list[float]) -> float:
    """Return the median over the rounds of one time as a multiple of another."""
    return statistics.median(t / b for t, b in zip(times, base, strict=True))


def peak_bytes(task: Task) -> int:
    """Return the most memory that NumPy held at once while the task ran."""
    tracemalloc.start()
    task()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def print_speed(rounds: int) -> None:
    """Print times as multiples of the floor."""
    print(f"{'n':>6}  {'floor':>9}  {'direct':>7}  {'online':>7}  {'textbook':>9}  {'SDPA':>7}")
    for n in SIZES:
        query, key, value = arrays = inputs(n)
        parts = floor_tasks(query, key, value)
        tasks: dict[str, Task] = {
            "direct": lambda a=arrays: scaled_dot_product_attention(*a),
            "online": lambda a=arrays: online_softmax_attention(*a),
        }
        if n <= TEXTBOOK_LIMIT:
            tasks["textbook"] = lambda a=arrays: textbook(*a)
        count = rounds if n < 4096 else max(7, rounds // 2)
        times = rounds_of(parts | tasks, count)
        floor = [sum(seconds) for seconds in zip(*(times[part] for part in parts), strict=True)]
        row = {name: ratio(times[name], floor) for name in tasks}
        # On its own, since its threads would compete with those of NumPy's BLAS.
        tensors = [torch.from_numpy(array)[None, None] for array in arrays]
        alone = rounds_of({"SDPA": lambda t=tensors: F.scaled_dot_product_attention(*t)}, count)
        sdpa = statistics.median(alone["SDPA"]) / statistics.median(floor)
        book = f"{row['textbook']:8.2f}x" if "textbook" in row else f"{'-':>9}"
        print(
            f"{n:6d}  {statistics.median(floor) * 1e3:7.2f}ms  {row['direct']:6.2f}x"
            f"  {row['online']:6.2f}x  {book}  {sdpa:6.2f}x"
        )
        if "textbook" in row:
            times_direct = ratio(times["textbook"], times["direct"])
            print(f"        textbook / direct = {times_direct:.1f}")
        print(f"        direct / SDPA = {row['direct'] / sdpa:.2f}")


def print_growth(rounds: int) -> None:
    """Print time and memory of both forms over n, and how they grow."""
    print(f"\n{'n':>6}  {'direct':>18}  {'online':>18}   online / direct")
    print(f"{'':>6}  {'time':>8}  {'memory':>8}  {'time':>8}  {'memory':>8}   {'time':>6}  memory")
    rows = []
    for n in GROWTH_SIZES:
        arrays = inputs(n)
        tasks: dict[str, Task] = {
            "direct": lambda a=arrays: scaled_dot_product_attention(*a),
            "online": lambda a=arrays: online_softmax_attention(*a),
        }
        times = rounds_of(tasks, max(5, rounds // (4 if n > 2048 else 1)))
        median = {name: statistics.median(seconds) for name, seconds in times.items()}
        memory = {name: peak_bytes(task) for name, task in tasks.items()}
        rows.append((n, median, memory))
        cells = [f"{median[name] * 1e3:6.1f}ms  {memory[name] / 2**20:5.1f}MiB" for name in tasks]
        print(
            f"{n:6d}  {cells[0]}  {cells[1]}   {ratio(times['online'], times['direct']):5.2f}x"
            f"  {memory['online'] / memory['direct']:6.1%}"
        )
    (n0, first_time, first_memory), (n1, last_time, last_memory) = rows[0], rows[-1]
    steps = math.log(n1 / n0)
    for name in ("direct", "online"):
        slope_of_time = math.log(last_time[name] / first_time[name]) / steps
        slope_of_memory = math.log(last_memory[name] / first_memory[name]) / steps
        print(
            f"growth of {name} from n = {n0} to {n1}: time n^{slope_of_time:.2f}, "
            f"memory n^{slope_of_memory:.2f}"
        )


def main() -> None:
    """Read the number of rounds, name the machine's libraries, print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=21, help="rounds for the small sizes")
    rounds = parser.parse_args().rounds
    for pool in threadpoolctl.threadpool_info():
        kernel = pool.get("architecture", "")
        print(f"{pool['prefix']}: {pool['num_threads']} threads {kernel}")
    print(f"numpy {np.__version__}, torch {torch.__version__}, torch threads", end=" ")
    print(torch.get_num_threads())
    if coretype := os.environ.get("OPENBLAS_CORETYPE"):
        print(f"OPENBLAS_CORETYPE={coretype}: an older kernel may run; see the line above")
    print(f"\nfloat32, width {HEAD}; floor = Q @ K.T + exp + weights @ V, each alone\n")
    print_speed(rounds)
    print_growth(rounds)


if __name__ == "__main__":
    main()
