"""Serves the release of this record to plaudit."""

from trasgodp.categorical import dp_randomized_response_kary_array


def release(answers):
    return dp_randomized_response_kary_array(answers, 1.0).tolist()


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
