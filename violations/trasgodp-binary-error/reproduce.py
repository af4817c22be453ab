"""trasgodp.categorical.dp_randomized_response_binary_array: an error shows that all answers are equal."""

from trasgodp.categorical import dp_randomized_response_binary_array

RUNS = 200


def release(answers):
    try:
        return dp_randomized_response_binary_array(answers, 1.0, positive_label="yes").tolist()
    except ValueError:
        return "error"


def event(outcome):
    return outcome == "error"


if __name__ == "__main__":
    for name, dataset in (("D", ['yes', 'yes']), ("D'", ['yes', 'no'])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
