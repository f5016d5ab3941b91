"""Calls methods of the Python SDK `entropy-data-sdk`, one request a line of standard input and one answer a line of
standard output, both JSON:

  {"key": "secret", "call": "teams.get", "args": ["a"], "options": {"page": 0}}
  {"value": {...}} or {"status": 404, "body": "..."} or {"error": "..."}

Results are values that the SDK has parsed into its models. `"args": null` asks for made-up arguments. The request {"list": true} answers with the
names of all calls, {"examples": ["Team"]} with a document of each model, made of the examples that the model declares, {"members": ["Team"]} with the names of the members of each model, and {"values": ["TeamType"]} with the values of each enum.
The address is
the only argument of the program.
"""

import datetime
import enum
import inspect
import json
import sys
import traceback
import types
import typing
import uuid

import entropy_data_sdk
import entropy_data_sdk.models as models
from entropy_data_sdk.connector import AssetsSynchronizer, EventHandler, EventListener, RemoteStateRepository
from pydantic import AwareDatetime, BaseModel, RootModel

DEPTH_MAX = 6


def list_calls(group, path):
    for name, member in vars(group).items():
        if name.startswith("_") or not type(member).__module__.startswith("entropy_data_sdk.api"):
            continue
        yield from list_calls(member, [*path, name])
    if path:
        for name, method in vars(type(group)).items():
            if callable(method) and not name.startswith("_"):
                yield ".".join([*path, name])


def make_value(kind, depth):
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return make_value(next(one for one in typing.get_args(kind) if one is not type(None)), depth)
    if origin is typing.Annotated:
        return make_value(typing.get_args(kind)[0], depth)
    if origin is list:
        return [make_value(typing.get_args(kind)[0], depth + 1)]
    if origin is dict:
        return {"key": make_value(typing.get_args(kind)[1], depth + 1)}
    if kind is AwareDatetime or kind is datetime.datetime:
        return "2026-01-01T00:00:00Z"
    if not isinstance(kind, type):
        return "text"
    if issubclass(kind, enum.Enum):
        return list(kind)[0].value
    if issubclass(kind, RootModel):
        return make_value(kind.model_fields["root"].annotation, depth + 1)
    if issubclass(kind, BaseModel):
        return make_example(kind, depth + 1)
    values = {bool: True, int: 1, float: 1.5, str: "text", uuid.UUID: str(uuid.UUID(int=1)), datetime.date: "2026-01-01"}
    return values.get(kind, "https://example.test/page")


def make_example(model, depth=0):
    if depth > DEPTH_MAX:
        return {}
    return {
        field.alias or name: field.examples[0] if field.examples else make_value(field.annotation, depth)
        for name, field in model.model_fields.items()
    }


def list_members(model, outer=()):
    members = {}
    for name, field in model.model_fields.items():
        kind, nested = field.annotation, None
        while nested is None and not (isinstance(kind, type) and issubclass(kind, BaseModel)):
            parts = [one for one in typing.get_args(kind) if one is not type(None)]
            if not parts:
                break
            kind = parts[-1]
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in (model, *outer):
            nested = list_members(kind, (model, *outer))
        members[field.alias or name] = nested or {}
    return members


def list_values(name):
    """Lists the values of an enum (`TeamType`), or the examples of a field (`OrganizationFeatures.managedTagsPolicy`)."""
    model, _, field = name.partition(".")
    if field:
        return getattr(models, model).model_fields[field].examples
    return [one.value for one in getattr(models, model)]


def make_arguments(method):
    """Makes up the required arguments of a method: a model from its examples, anything else as a text."""
    args, options = [], {}
    for name, parameter in inspect.signature(method).parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            continue
        model = getattr(models, str(parameter.annotation).split(" | ")[0], None)
        value = make_example(model) if model is not None else "text"
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            options[name] = value
        else:
            args.append(value)
    return args, options


def to_json(value):
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, (list, tuple)):
        return [to_json(one) for one in value]
    return value


def call(clients, url, request):
    key = request["key"]
    if key not in clients:
        clients[key] = entropy_data_sdk.EntropyDataClient(key, url)
    method = clients[key]
    for name in request["call"].split("."):
        method = getattr(method, name)
    args, options = request.get("args"), request.get("options", {})
    if args is None:
        args, options = make_arguments(method)
    try:
        return {"value": to_json(method(*args, **options))}
    except entropy_data_sdk.ApiError as error:
        return {"status": error.status_code, "body": error.body}
    except Exception:
        return {"error": traceback.format_exc()}


def synchronize(client, asset):
    """Synchronizes an asset; returns the methods of the requests that write."""

    class Provider:
        def fetch_assets(self, callback):
            callback.on_asset_updated(models.Asset.model_validate(asset))

    synchronizer = AssetsSynchronizer("sdk-assets", client, Provider())
    synchronizer.register()
    writes, request = [], client.http.request
    client.http.request = lambda method, path, **more: (
        writes.append(method) if method != "GET" else None,
        request(method, path, **more),
    )[1]
    try:
        synchronizer.synchronize_assets()
    finally:
        client.http.request = request
    return writes


def listen(client):
    """Processes the events after the last one of the connector's state; returns their names."""
    names = []

    class Handler(EventHandler):
        def on_event(self, event):
            names.append(event.event_name)

    state = RemoteStateRepository("sdk-events", client)
    listener = EventListener("sdk-events", "test", client, Handler(), state)
    listener.register()
    last = listener.get_last_event_id()
    for event in listener.fetch_events(last):
        listener.process_event_or_skip(event)
        listener.save_last_event_id(event.id)
    return names


def main():
    url, clients = sys.argv[1], {}
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("list"):
            answer = list(list_calls(entropy_data_sdk.EntropyDataClient("key", url), []))
        elif "asset" in request:
            answer = synchronize(entropy_data_sdk.EntropyDataClient(request["key"], url), request["asset"])
        elif "listen" in request:
            answer = listen(entropy_data_sdk.EntropyDataClient(request["key"], url))
        elif "members" in request:
            answer = {name: list_members(getattr(models, name)) for name in request["members"]}
        elif "values" in request:
            answer = {name: list_values(name) for name in request["values"]}
        elif "examples" in request:
            answer = {name: make_example(getattr(models, name)) for name in request["examples"]}
        else:
            answer = call(clients, url, request)
        print(json.dumps(answer, default=str), flush=True)


main()
