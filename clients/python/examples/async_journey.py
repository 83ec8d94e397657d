"""One import from a client to clearance with asyncio, in the sandbox or at the simulator.

Needs TIDEWAITER, the address of the service, and TIDEWAITER_KEY, a key of role MEMBER or OWNER.
"""

import asyncio
import os

from tidewaiter import ApiError, AsyncTidewaiter, models

VALUE = 1234567.89


async def main() -> None:
    async with AsyncTidewaiter(os.environ["TIDEWAITER"], os.environ["TIDEWAITER_KEY"]) as api:
        client = await api.create_client(models.ClientInput(name="Mill Lane Textiles Ltd", eori="GB123456789000"))
        shipment = await api.create_shipment(
            models.ShipmentInput(clientId=client.id, portOfEntry="GBFXT", transportMode="SEA")
        )
        item = models.DeclarationItemInput(
            commodityCode="6109100010",
            description="Cotton T-shirts",
            netMassKg=120.5,
            customsValueGbp=VALUE,
            countryOfOrigin="BD",
        )
        created = await api.create_declaration(
            models.DeclarationInput(shipmentId=shipment.id, declarationType="IMPORT", items=[item])
        )
        assert created.items[0].customsValueGbp == VALUE, created.items[0].customsValueGbp
        assert round(created.totalDutyGbp * 100) == 14814814, created.totalDutyGbp
        submission = await api.submit_declaration(
            models.SubmitDeclarationInput(declarationId=created.id), x_simulate="clear"
        )
        assert submission.status == "SUBMITTED" and submission.simulated, submission
        declaration = await wait_until_cleared(api, created.id)
        assert declaration.mrn is not None and len(declaration.mrn) == 18, declaration.mrn
        assert declaration.items[0].customsValueGbp == VALUE, declaration.items[0].customsValueGbp
        cleared = (await api.list_audit_events(event_type="declaration.cleared")).events
        assert created.id in [event.resourceId for event in cleared], cleared
        try:
            await api.get_declaration("0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a")
            raise AssertionError("there is no such declaration")
        except ApiError as refused:
            assert refused.status == 404 and refused.error == "not_found", refused
        print("CLEARED", declaration.mrn, f"{declaration.items[0].customsValueGbp:.2f}")


async def wait_until_cleared(api: AsyncTidewaiter, declaration_id: str) -> models.DeclarationRecord:
    """Reads the declaration until customs has cleared it, at most a minute."""
    for _ in range(600):
        declaration = (await api.get_declaration(declaration_id)).declaration
        if declaration.status == "CLEARED":
            return declaration
        await asyncio.sleep(0.1)
    raise TimeoutError(f"the declaration is still {declaration.status}")


if __name__ == "__main__":
    asyncio.run(main())
