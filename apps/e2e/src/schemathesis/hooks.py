"""What the nature of this API asks of the test; see main.ts."""

import json
import os

import schemathesis

RESOURCES = json.loads(os.environ["FANFARE_RESOURCES"])
# What the test itself lives on. Schemathesis reads ids out of responses and tries what can be done to them.
KEPT = set(json.loads(os.environ["FANFARE_KEPT"]))
NOBODY = "00000000-0000-7000-8000-000000000000"


@schemathesis.serializer("application/offset+octet-stream")
def upload_part(context, value):
    """A part of a resumable upload is bytes, whatever they are."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if not path_parameters:
        return path_parameters
    changes = context.operation.method.upper() != "GET"
    deletes = context.operation.method.upper() == "DELETE"
    return {name: stand_in(name, value, changes, deletes) for name, value in path_parameters.items()}


def stand_in(name, value, changes, deletes):
    """Well-formed ids become those of resources that are there, except where they would be deleted."""
    if changes and value in KEPT:
        return NOBODY
    if name in RESOURCES and is_well_formed(value) and (not deletes or name == "business_id"):
        return RESOURCES[name]
    return value


def is_well_formed(value):
    return isinstance(value, str) and len(value) == 36 and value.count("-") == 4
