"""flwr (Flower): a client's update with local noise, and the functions of its central noise.

A dataset is the update of one client, or the updates of all. Outcomes are doubles, and are rounded to a grid first.
"""

from table import Served, approximate, gaussian, row

LIBRARY = "flwr"
DISTRIBUTION = "flwr"
ENVIRONMENT = "flwr"
ROUNDED = dict(floats="rounded", grid=2.0**-10)
# Two updates that are apart by the sensitivity that the library is given.
UPDATE = dict(pairs=[([-0.3, -0.4], [0.3, 0.4])], relation={"l2": 1.0}, trials=10_000, **ROUNDED)
# One client of two has hardly moved: an update of exactly 0 is an error.
CLIENTS = dict(
    pairs=[([[0.5, 0.0], [0.6, 0.8]], [[0.5, 0.0], [1e-6, 0.0]])],
    relation={"words": "the update of one client is almost 0"},
    trials=10_000,
    **ROUNDED,
)


def local(epsilon, delta=0.01, factor=1.0, norm=1.0):
    """`LocalDpMod` around a client whose model has moved from 0 by the update."""
    import logging

    import numpy
    from flwr.app import Array, ArrayRecord, Message, RecordDict
    from flwr.clientapp.mod import LocalDpMod
    from flwr.supercore.task_identity import TaskIdentity

    logging.disable(logging.INFO)
    TaskIdentity.run_id = TaskIdentity.node_id = TaskIdentity.task_id = 1
    mod = LocalDpMod(clipping_norm=norm, sensitivity=1.0, epsilon=factor * epsilon, delta=delta)

    def content(numbers):
        return RecordDict({"arrays": ArrayRecord({"weights": Array(numpy.array(numbers))})})

    def release(update):
        asked = Message(content=content([0.0] * len(update)), dst_node_id=1, message_type="train")
        answer = mod(asked, None, lambda message, context: Message(content=content(update), reply_to=message))
        [arrays] = answer.content.array_records.values()
        return arrays.to_numpy_ndarrays()[0].tolist()

    return Served(approximate((epsilon, delta)), function=release)


@row(
    about="An update with local noise. Its classic formula is for an epsilon of at most 1; it has no limit.",
    **UPDATE,
    wrong={"factor": 8.0},
    mistake="the library is given eight times the epsilon",
)
def local_noise(factor=1.0):
    return local(1.0, factor=factor)


@row(
    about="An update of norm 100, clipped to 1, with local noise.",
    **dict(UPDATE, pairs=[([0.5, 0.0], [60.0, 80.0])], relation={"words": "one client's update"}),
    wrong={"norm": 100.0},
    mistake="clipping to 100, with the noise for 1",
)
def local_noise_of_an_outlier(norm=1.0):
    return local(1.0, norm=norm)


@row(
    about="An update of exactly 0: the clipping divides by its norm, and the error shows the update.",
    **dict(UPDATE, pairs=[([0.0, 0.0], [0.6, 0.8])], trials=2000),
    format="json",
    expect="violated",
)
def local_noise_of_no_update():
    return local(1.0)


def central(noise, norm=1.0):
    """Clipped updates, their mean, and noise: the functions that the strategies with fixed clipping call."""
    import numpy
    from flwr.supercore.differential_privacy import add_gaussian_noise_inplace, compute_clip_model_update, compute_stdv

    def release(clients):
        models = []
        for update in clients:
            model = [numpy.array(update)]
            compute_clip_model_update(model, [numpy.zeros(len(update))], norm)
            models.append(model[0])
        mean = [sum(models) / len(models)]
        add_gaussian_noise_inplace(mean, compute_stdv(noise, 1.0, len(clients)))
        return mean[0].tolist()

    return Served(gaussian(1 / noise), function=release)


@row(about="The mean of two clients with central noise: a multiplier of 2.", **CLIENTS, wrong={"noise": 1.0})
def central_noise(noise=2.0):
    return central(noise)


@row(
    about="An update of norm 100 among two, clipped to 1, with central noise.",
    **dict(CLIENTS, pairs=[([[0.5, 0.0], [60.0, 80.0]], [[0.5, 0.0], [1e-6, 0.0]])]),
    wrong={"norm": 100.0},
    mistake="clipping to 100, with the noise for 1",
)
def central_noise_of_an_outlier(norm=1.0):
    return central(2.0, norm)
