"""What no JSON Schema can say, for Schemathesis: requests that are meant to be valid are made so here.

The gateway refuses with 400 what contradicts itself: an amount with more digits than its currency has, a page beyond
the rows that there are, a card number without its check digit. Everything else of a request stays as generated, and a
request that is meant to be wrong is left alone.
"""

import base64
import copy
import os
import re

import schemathesis
from hypothesis import strategies as st

ROWS = 1_000_000
CARD = {"number": "4242424242424242", "expirationMonth": "12", "expirationYear": "2035", "cvv": "123"}
PDF = b"%PDF-1.4\n%%EOF\n"
# What a file is shows in how it begins.
FILES = {
    "application/pdf": PDF,
    "image/png": bytes.fromhex("89504e470d0a1a0a"),
    "image/jpeg": bytes.fromhex("ffd8ffe0"),
}
# Users and groups that the run itself needs: whoever disables or demotes them learns nothing from then on.
SPARED = set(os.environ.get("SCHEMATHESIS_SPARED", "").split())

schemathesis.openapi.format(
    "time-zone", st.sampled_from(["UTC", "America/Sao_Paulo", "Europe/Lisbon", "Asia/Tokyo"])
)


for media_type, file in FILES.items():
    schemathesis.openapi.media_type(media_type, st.binary(max_size=64).map(file.__add__))


@schemathesis.hook
def filter_case(context, case):
    """Where a form has a file, Schemathesis leaves the fields beside it empty once, and takes that for valid."""
    is_form = case.media_type == "multipart/form-data" and isinstance(case.body, dict)
    return not (is_form and case.body.get("type") == "")


@schemathesis.hook
def before_call(context, case, kwargs):
    parameters = case.path_parameters or {}
    if case.method == "PATCH" and any(str(value) in SPARED for value in parameters.values()):
        case.path_parameters = {name: "spared" for name in parameters}
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # What is set is looked at again, which takes the files of a form for no text: only what changes is set.
    query = valid_query(case.operation.label, without_card(dict(case.query or {})))
    if query != (case.query or {}):
        case.query = query
    if isinstance(case.body, (dict, list)):
        body = valid_body(case.operation.label, without_card(without_nul(copy.deepcopy(case.body))))
        if body != case.body:
            case.body = body


@schemathesis.check
def says_when_to_come_again(context, response, case):
    if response.status_code == 503:
        assert "retry-after" in response.headers, "503 without Retry-After"


def valid_query(label, query):
    size = int(query.get("size", 10))
    if int(query.get("page", 1)) * size > ROWS:
        query["page"] = ROWS // size
    if "from" in query and "to" in query and query["from"][:10] >= query["to"][:10]:
        query["to"] = "9999-12-31"
    if label == "GET /v1/anticipations/quote":
        one_of_charge_and_amount(query)
    for name in query:
        if name.startswith("amount"):
            # Numbers of a query have no exponent.
            query[name] = round(max(-1e12, min(float(query[name]), 1e12)), 4)
    return query


def without_nul(value):
    """No name may hold a NUL, however deep, which the stores would cut off there."""
    if isinstance(value, dict):
        return {name.replace("\0", "0"): without_nul(member) for name, member in value.items()}
    return [without_nul(member) for member in value] if isinstance(value, list) else value


def without_card(value):
    """Chance makes the number of a card of a long number, and of the digits of an instant."""
    if isinstance(value, dict):
        return {name: without_card(member) for name, member in value.items()}
    if isinstance(value, list):
        return [without_card(member) for member in value]
    if isinstance(value, str):
        # No number of a card begins with 1 or 9.
        return re.sub(r"^\d{4}(?=-\d\d-\d\dT)", "1999", value)
    is_long = isinstance(value, (int, float)) and abs(value) >= 1e12
    return value % 10**12 or 1 if is_long else value


def valid_body(label, body):
    if label == "PUT /v1/admin/merchants/{id}/fee-definitions":
        return valid_fees(body)
    if label == "POST /v1/submerchants/{id}/documents":
        return valid_document(body)
    if label == "PUT /v1/admin/merchants/{id}/split":
        lists = [body.get("default", []), *body.get("byPaymentMethod", {}).values()]
        for entries in lists:
            valid_split(entries)
    if label.endswith("/settings") and body["name"] == "chargeback_alert_fee":
        body["content"]["amount"] = valid_amount(body["content"]["amount"])
    if label.endswith("/settings") and body["name"] == "live_providers":
        # Its routes name providers that there are.
        body["content"] = "pix=simulator"
    if label == "POST /v1/anticipations":
        one_of_charge_and_amount(body)
    if label == "PATCH /v1/admin/merchants/{id}":
        # A reason comes with a status, and only then.
        body.setdefault("reason", "0") if "status" in body else body.pop("reason", None)
    if label == "POST /v1/admin/suspense-items/{id}/clearing":
        valid_clearing(body)
    if body.get("allowedNetworks"):
        # Patterns cannot describe addresses.
        body["allowedNetworks"] = ["192.0.2.0/24", "2001:db8::/32"]
    if body.get("expiresAt"):
        # It is to come.
        body["expiresAt"] = "2099-12-31T00:00:00Z"
    if label in ("POST /v1/charges", "POST /v1/admin/adjustments"):
        body["amount"] = valid_amount(body["amount"])
    if label == "POST /v1/charges":
        valid_charge(body)
    for name in ("url", "postbackUrl"):
        if body.get(name):
            # Which hosts are private, reserved or none at all is no matter of shape.
            body[name] = re.sub(r"//[^/?#]*", "//example.com", body[name], count=1)
    return body


def valid_amount(amount):
    # A whole number that is not too large is an amount of every currency.
    return (-1 if amount < 0 else 1) * min(max(round(abs(amount)), 1), 100_000_000)


def valid_charge(body):
    method = body["paymentMethod"]
    if method["type"] == "pix":
        body["currency"] = "BRL"
    if "number" in method:
        method.update(CARD)
    if body.get("split"):
        valid_split(body["split"])
    document = (body.get("customer") or {}).get("document")
    if document:
        # CPF and CNPJ have their lengths.
        document["id"] = {"cpf": "52998224725", "cnpj": "11222333000181"}.get(document["type"].lower(), document["id"])


def one_of_charge_and_amount(request):
    # An anticipation is of a charge, or of an amount with its currency.
    if "chargeId" in request:
        request.pop("amount", None)
        request.pop("currency", None)
    else:
        request["amount"] = valid_amount(float(request.get("amount", 1)))
        request.setdefault("currency", "BRL")


def valid_clearing(clearing):
    if clearing["method"] == "merchant":
        clearing.setdefault("merchantId", "mer_0")
    else:
        clearing.pop("merchantId", None)


def valid_split(entries):
    seen = set()
    entries[:] = [e for e in entries if not (e["merchantId"] in seen or seen.add(e["merchantId"]))]
    for entry in entries:
        entry["percentage"] = max(round(entry["percentage"] / len(entries) - 0.01, 2), 0.01)


def valid_fees(fees):
    kept = {}
    for fee in fees:
        definition = fee["definition"]
        definition["fixed"] = min(round(definition["fixed"]), 100_000_000)
        if "variable" in definition:
            definition["variable"] = round(definition["variable"], 4)
        if "percentages" in definition:
            definition["percentages"] = [round(value, 4) for value in definition["percentages"]]
        kept[tuple(fee.get(name) for name in ("fee_type", "payment_method", "currency_code", "brand"))] = fee
    return list(kept.values())


def valid_document(body):
    if "content" in body:
        body["content"] = base64.b64encode(PDF).decode()
    return body
