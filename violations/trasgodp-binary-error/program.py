"""Serves the release of this record to plaudit."""

from trasgodp.categorical import dp_randomized_response_binary_array


def release(answers):
    try:
        return dp_randomized_response_binary_array(answers, 1.0, positive_label="yes").tolist()
    except ValueError:
        return "error"


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
