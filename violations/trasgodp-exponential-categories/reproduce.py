"""trasgodp.categorical.dp_exponential_array: the categories come from the data."""

from trasgodp.categorical import dp_exponential_array

RUNS = 500


def release(answers):
    return dp_exponential_array(answers, 1.0).tolist()


def event(outcome):
    return "c" in outcome


if __name__ == "__main__":
    for name, dataset in (("D", ['a', 'b', 'c']), ("D'", ['a', 'b', 'a'])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
