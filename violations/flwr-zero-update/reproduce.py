"""flwr LocalDpMod: an update of 0 is an error."""

import logging

import numpy
from flwr.app import Array, ArrayRecord, Message, RecordDict
from flwr.clientapp.mod import LocalDpMod
from flwr.supercore.task_identity import TaskIdentity

RUNS = 1000

logging.disable(logging.INFO)
# A message has the identity of its task, which Flower's runtime sets.
TaskIdentity.run_id = TaskIdentity.node_id = TaskIdentity.task_id = 1
MOD = LocalDpMod(clipping_norm=1.0, sensitivity=1.0, epsilon=1.0, delta=0.01)


def content(weights):
    return RecordDict({"arrays": ArrayRecord({"weights": Array(numpy.array(weights))})})


def release(update):
    def train(message, context):
        return Message(content=content(update), reply_to=message)

    try:
        MOD(Message(content=content([0.0, 0.0]), dst_node_id=1, message_type="train"), None, train)
    except ZeroDivisionError:
        return "error"
    return "answer"


def event(outcome):
    return outcome == "error"


if __name__ == "__main__":
    for name, dataset in (("D", [0.0, 0.0]), ("D'", [0.6, 0.8])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
