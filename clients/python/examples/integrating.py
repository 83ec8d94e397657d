"""The examples of docs/integrating.md as one program.

Needs TIDEWAITER, the address of the service, and TIDEWAITER_KEY, a key of role OWNER. Webhooks must be permitted to
go to this machine.
"""

# [authentication]
import os

from tidewaiter import ApiError, NotModified, Tidewaiter, models, verify_webhook

api = Tidewaiter(os.environ["TIDEWAITER"], os.environ["TIDEWAITER_KEY"])
me = api.get_me()
print(me.organisation.name, me.role, me.mode)
# [end]
assert me.role == "OWNER", me

# [idempotency]
client = api.create_client(models.ClientInput(name="Mill Lane Textiles Ltd"), idempotency_key="order-1133-client")
again = api.create_client(models.ClientInput(name="Mill Lane Textiles Ltd"), idempotency_key="order-1133-client")
assert again.id == client.id  # the first answer again; nothing was created
# [end]
assert api.create_client_dry_run(models.ClientInput(name="Not Stored Ltd")).name == "Not Stored Ltd"

# [modes]
shipment = api.create_shipment(models.ShipmentInput(clientId=client.id, portOfEntry="GBFXT", transportMode="SEA"))
goods = models.DeclarationItemInput(
    commodityCode="6109100010", description="Cotton T-shirts", netMassKg=120.5, customsValueGbp=1850.45
)
declaration = api.create_declaration(
    models.DeclarationInput(shipmentId=shipment.id, declarationType="IMPORT", items=[goods])
)
submission = api.submit_declaration(
    models.SubmitDeclarationInput(declarationId=declaration.id), x_simulate="reject CDS12056"
)
print(submission.note)  # Simulated: …
# [end]
assert submission.simulated

# [sandbox]
made = api.create_sandbox_key(models.SandboxKeyInput(name="CI", role="OWNER"))
sandbox = Tidewaiter(os.environ["TIDEWAITER"], made.secret)
clock = sandbox.set_test_clock(models.ClockInput(advance="P30D")).clock
print(sandbox.get_me().mode, clock.now)  # test, in 30 days
sandbox.reset_sandbox()
# [end]

# [pages]
page = api.list_clients(limit=100, created_after=client.createdAt)
while True:
    for record in page.clients:
        print(record.id, record.name)
    if not page.hasMore:
        break
    page = api.list_clients(limit=100, created_after=client.createdAt, cursor=page.nextCursor)
# [end]
assert client.id in [record.id for record in page.clients]

# [errors]
try:
    api.create_shipment(models.ShipmentInput(clientId=client.id, portOfEntry="", transportMode="SEA"))
except ApiError as refused:
    print(refused.status, refused.error, refused.request_id)
    for detail in refused.details:
        print(detail["field"], detail["message"])
# [end]
    assert refused.error == "invalid_request" and refused.details[0]["field"] == "portOfEntry", refused
else:
    raise AssertionError("an empty port was accepted")

# [limits]
answer = api.list_hubs().http_response
print(answer.headers["X-RateLimit-Remaining"], "of", answer.headers["X-RateLimit-Limit"])
# [end]
assert int(answer.headers["X-RateLimit-Remaining"]) < int(answer.headers["X-RateLimit-Limit"])

# [retries]
patient = Tidewaiter(os.environ["TIDEWAITER"], os.environ["TIDEWAITER_KEY"], retries=8, timeout=30)
kept = patient.create_client(models.ClientInput(name="Quayside Foods Ltd"), idempotency_key="order-1134-client")
# [end]
assert kept.name == "Quayside Foods Ltd"

# [concurrency]
read = api.get_client(client.id)
version = read.http_response.headers["ETag"]
api.update_client(client.id, models.ClientPatchInput(city="Ipswich"), if_match=version)
try:
    api.update_client(client.id, models.ClientPatchInput(city="Felixstowe"), if_match=version)
except ApiError as refused:
    print(refused.status, refused.error)  # 412 precondition_failed: read it again, and decide
# [end]
    assert refused.status == 412, refused
else:
    raise AssertionError("an old version was changed")
try:
    api.get_client(client.id, if_none_match=api.get_client(client.id).http_response.headers["ETag"])
    raise AssertionError("the known version was sent")
except NotModified:
    pass

# [batches]
import time

operations = [
    models.BatchOperationInput(
        method="POST", path="/api/clients", reference="client", body={"name": "Harbour Kitchens Ltd"}
    ),
    models.BatchOperationInput(
        method="POST",
        path="/api/shipments",
        reference="shipment",
        body={"clientId": "$ref:client", "portOfEntry": "GBFXT", "transportMode": "SEA"},
    ),
]
batch = api.create_batch(models.BatchInput(operations=operations), idempotency_key="monday-1").batch
while batch.status in ("QUEUED", "RUNNING"):
    time.sleep(0.2)
    batch = api.get_batch(batch.id).batch
for row in api.list_batch_results(batch.id).results:
    print(row.reference, row.status)
# [end]
assert batch.status == "DONE" and batch.done == 2, batch

# [webhooks]
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

accepted: list[bytes] = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = verify_webhook(secret, dict(self.headers), body)
        if genuine:
            accepted.append(body)  # store it, answer, and process it afterwards
        self.send_response(204 if genuine else 401)
        self.end_headers()


server = HTTPServer(("127.0.0.1", 0), Receiver)
Thread(target=server.serve_forever, daemon=True).start()
created = api.create_webhook_endpoint(
    models.WebhookEndpointInput(url=f"http://127.0.0.1:{server.server_port}/hooks", events=["declaration.*"])
)
secret = created.endpoint.secret or ""
tested = api.test_webhook_endpoint(created.endpoint.id or "", models.TestInput(eventType="declaration.cleared"))
print(tested.delivery.status, tested.delivery.httpStatus)  # DELIVERED 204
# [end]
assert tested.delivery.status == "DELIVERED" and len(accepted) == 1, tested
assert b'"declaration.cleared"' in accepted[0], accepted
headers = {"webhook-id": "evt_1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,forged"}
assert not verify_webhook(secret, headers, b"{}")
print("All examples ran.")
