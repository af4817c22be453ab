"""trasgodp.categorical.dp_randomized_response_kary_array: the categories come from the data."""

from trasgodp.categorical import dp_randomized_response_kary_array

RUNS = 500


def release(answers):
    return dp_randomized_response_kary_array(answers, 1.0).tolist()


def event(outcome):
    return "d" in outcome


if __name__ == "__main__":
    for name, dataset in (("D", ['a', 'b', 'c', 'd']), ("D'", ['a', 'b', 'c', 'a'])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
