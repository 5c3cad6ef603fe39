"""Drives a phone: python3 example.py [ios|android]. RUNCLOUD_API_KEY has the key; pictures and films go to the current folder."""

import asyncio
import os
import sys

from runcloud import Control, Failed, Service, succeeded


async def main(platform):
    service = Service(os.environ.get("RUNCLOUD_BASE_URL", "http://127.0.0.1:8787"), os.environ["RUNCLOUD_API_KEY"])
    session = await service.create_session(platform, labels={"example": "python"})
    print("session", session["status"], session["device"]["model"])
    try:
        control = await Control.open(service, session)
        await drive(service, session, control)
    finally:
        await service.release(session)
    # The reason comes as an event; then the service closes the socket with 4404, which is no error.
    while event := await control.events.get():
        if event["event"] == "session.ended":
            print("ended", event["reason"])
    print("closed", control.ended.code)


async def drive(service, session, control):
    print("ready", (await control.ready)["role"])
    await control.ping()

    recording = succeeded(await control.request({"type": "recording.start"}))["result"]["recording"]

    stages = []
    tapped = await control.interact("tap", on_stage=lambda stage: stages.append(stage["type"]), x=0.39, y=0.92)
    print("tap", tapped["status"], *stages)

    # Another request while the first one runs: the gesture would take ten seconds.
    swipe = asyncio.create_task(
        control.request({
            "type": "interaction",
            "requestId": "slow",
            "action": "swipe",
            "from": {"x": 0.5, "y": 0.8},
            "to": {"x": 0.5, "y": 0.2},
            "durationMs": 10_000,
        })
    )
    await asyncio.sleep(0.3)
    await control.send({"type": "cancel", "requestId": "slow"})
    swiped = await swipe
    print("swipe", swiped["status"], swiped["error"]["code"])

    # A finger that is moved live: its steps have one request id, and one result.
    finger = asyncio.create_task(control.request(pointer("begin", 0.5, 0.8)))
    for step in range(20):
        await asyncio.sleep(0.01)
        await control.send(pointer("move", 0.5, 0.8 - step * 0.02))
    await control.send(pointer("end", 0.5, 0.4))
    print("pointer", (await finger)["status"])

    async for packet in control.screen(encodings=["jpeg"], maxLongEdge=640):
        with open("screen.jpg", "wb") as file:
            file.write(packet.payload)
        print("picture", packet.encoding, f"{packet.width}x{packet.height}", "key" if packet.is_key else "")
        break

    try:
        await control.interact("tap", x=2, y=2)
    except Failed as failure:
        print("refused", failure.code)

    succeeded(await control.request({"type": "recording.stop", "recordingId": recording["id"]}))
    path = f"/service/{session['platform']}/{session['id']}/recordings/{recording['id']}/download"
    with open("recording.mp4", "wb") as file:
        file.write(await service.read("GET", path))
    print("recorded", os.path.getsize("recording.mp4") > 0)


def pointer(phase, x, y):
    return {"type": "pointer", "requestId": "finger", "phase": phase, "points": [{"x": x, "y": y}]}


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "ios"))
