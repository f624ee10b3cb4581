"""Adapts the test to this API; see main.ts."""

import json
import os

import schemathesis

RESOURCES = json.loads(os.environ["FANFARE_RESOURCES"])
# Resources that the test itself needs. Schemathesis reads ids from responses and calls operations with them.
KEPT = set(json.loads(os.environ["FANFARE_KEPT"]))
UNKNOWN_ID = "00000000-0000-7000-8000-000000000000"


@schemathesis.serializer("application/offset+octet-stream")
def upload_part(context, value):
    """A part of a resumable upload is any bytes."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if not path_parameters:
        return path_parameters
    changes = context.operation.method.upper() != "GET"
    deletes = context.operation.method.upper() == "DELETE"
    # Of something in the business, not of the business itself.
    inside = not context.operation.path.endswith("/{business_id}")
    return {name: stand_in(name, value, changes, deletes, inside) for name, value in path_parameters.items()}


def stand_in(name, value, changes, deletes, inside):
    """Replaces well-formed ids by those of existing resources, unless these would be deleted."""
    if changes and value in KEPT:
        return UNKNOWN_ID
    if name in RESOURCES and is_well_formed(value) and (not deletes or (name == "business_id" and inside)):
        return RESOURCES[name]
    return value


def is_well_formed(value):
    return isinstance(value, str) and len(value) == 36 and value.count("-") == 4
