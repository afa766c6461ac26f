"""The connection to an MQTT broker: opened, kept, opened again, and never waited for.

The client library is paho-mqtt: it speaks MQTT 5, is the reference client of the
Eclipse project that Mosquitto is from, has no dependency, and runs in a thread of its
own like all else here. aiomqtt wraps the same client for asyncio, which we have not.
"""

import logging
import os
import ssl
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit

from msgspec import Struct
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.club.messages import GONE, HERE

logger = logging.getLogger(__name__)

PORTS = {"mqtt": 1883, "mqtts": 8883}
KEEP_ALIVE_S = 15
"""The broker tells of a table's last will after one and a half times this."""

LONGEST_WAIT_S = 15
"""Between two tries to reach a broker; the first comes after a second."""

CONNECT_S = 5.0
"""So long a broker may take to answer at all."""

END_S = 2.0
"""So long the end of a connection is waited for."""

MOST_QUEUED = 2_000
"""Messages that wait in this program; more are refused and come later."""

Receive: TypeAlias = Callable[[str, bytes, int], bool]
"""Takes a topic, what came and its number. False: `Link.ack` tells the broker once it
is carried out; until then it comes again with each new connection."""


class BadBroker(ValueError):
    """An address of a broker cannot be used; the message says why and what to do."""


class Address(Struct, frozen=True):
    """Where a broker is and who signs in; *ca* is the file of its own authority."""

    host: str
    port: int
    tls: bool
    user: str | None = None
    password: str | None = None
    ca: Path | None = None


def read_address(url: str, environ: Mapping[str, str] = os.environ) -> Address:
    """Return the broker at ``mqtts://user@host:port``.

    The password is not part of it where others may read it, as in a list of processes:
    ``DRAGON_TABLE_CLUB_PASSWORD`` holds it, and ``DRAGON_TABLE_CLUB_CA`` the file of an
    authority of the club's own.

    Raises:
        BadBroker: It is no such address.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadBroker(f"{url!r} is no broker's address: {error}") from error
    if parts.scheme not in PORTS or not parts.hostname:
        raise BadBroker(
            f"{url!r} is no broker's address; write mqtts://broker.local, "
            "or mqtt:// where nobody else is in the network"
        )
    ca = environ.get("DRAGON_TABLE_CLUB_CA")
    password = environ.get("DRAGON_TABLE_CLUB_PASSWORD")
    return Address(
        host=parts.hostname,
        port=port or PORTS[parts.scheme],
        tls=parts.scheme == "mqtts",
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else password,
        ca=Path(ca) if ca else None,
    )


class Will(Struct, frozen=True):
    """Where the broker says that a client has vanished, and how.

    With nothing to say it forgets that the client was ever there.
    """

    topic: str
    gone: bytes = GONE


class Link:
    """One client of a broker, which comes back by itself.

    Args:
        address: The broker.
        client_id: Who this is; the same at each start keeps what waits at the broker.
        will: Where it says whether it is there.
        subscriptions: Topics that are listened to.
        receive: Takes what comes, in the client's own thread.
        on_up: Called in the same thread whenever the connection stands.
        keep_s: How long the broker keeps what came while this was away; 0 for not.

    Raises:
        BadBroker: The authority's file cannot be read.
    """

    def __init__(
        self,
        address: Address,
        client_id: str,
        will: Will,
        subscriptions: tuple[str, ...],
        receive: Receive,
        on_up: Callable[[], object] = lambda: None,
        keep_s: int = 0,
    ) -> None:
        self._address = address
        self._client_id = client_id
        self._will = will
        self._subscriptions = subscriptions
        self._receive = receive
        self._on_up = on_up
        self._keep_s = keep_s
        self._up = threading.Event()
        self.refused: str | None = None
        self._answered = threading.Condition()
        self._reasons: dict[int, bool] = {}
        self._asking = False
        self._is_mute = False
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            manual_ack=True,
        )
        client.connect_timeout = CONNECT_S
        client.username = address.user
        client.password = address.password
        client.max_queued_messages_set(MOST_QUEUED)
        client.reconnect_delay_set(1, LONGEST_WAIT_S)
        client.will_set(will.topic, will.gone, qos=1, retain=True)
        if address.tls:
            client.tls_set_context(_trust(address.ca))
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_message = self._message
        client.on_publish = self._published
        self._client = client

    @property
    def is_up(self) -> bool:
        """Tell whether the connection stands."""
        return self._up.is_set()

    def wait_up(self, timeout_s: float) -> bool:
        """Return whether the connection stands, waiting at most so long for it."""
        return self._up.wait(timeout_s)

    def start(self) -> None:
        """Begin to connect, for as long as it takes."""
        keep = _properties(PacketTypes.CONNECT)
        keep.SessionExpiryInterval = self._keep_s
        self._client.connect_async(
            self._address.host,
            self._address.port,
            KEEP_ALIVE_S,
            clean_start=not self._keep_s,
            properties=keep,
        )
        self._client.loop_start()

    def stop(self) -> None:
        """Say "gone" and end the connection."""
        if self.is_up:
            will = self._will
            said = self._client.publish(will.topic, will.gone, qos=1, retain=True)
            if said.rc is MQTTErrorCode.MQTT_ERR_SUCCESS:
                said.wait_for_publish(END_S)
        self._client.disconnect()
        # It waits for a thread that may itself wait for a broker that does not answer;
        # a table that is to end has its own games to bring home.
        end = threading.Thread(target=self._client.loop_stop, daemon=True)
        end.start()
        end.join(END_S)

    def publish(
        self,
        topic: str,
        payload: bytes,
        *,
        qos: int = 1,
        retain: bool = False,
        expires_s: int | None = None,
    ) -> bool:
        """Hand a message to the client's thread; False where there is no connection."""
        if not self.is_up:
            return False
        properties = None
        if expires_s is not None:
            properties = _properties(PacketTypes.PUBLISH)
            properties.MessageExpiryInterval = expires_s
        sent = self._client.publish(topic, payload, qos, retain, properties)
        return sent.rc is MQTTErrorCode.MQTT_ERR_SUCCESS

    def may_publish(self, topic: str, payload: bytes, timeout_s: float) -> bool:
        """Publish, and return whether the broker lets this client do so.

        A topic that nobody may write to is acknowledged with a reason all the same.

        Source: MQTT 5.0, 3.4.2.1, PUBACK Reason Code 0x87, "Not authorized".
        """
        self._asking = True
        sent = self._client.publish(topic, payload, 1)
        # The answer may be there before this thread waits for it.
        with self._answered:
            self._answered.wait_for(lambda: sent.mid in self._reasons, timeout_s)
            self._asking = False
            return self._reasons.pop(sent.mid, False)

    def listen(self, topic: str) -> None:
        """Hear a topic from now on, and what is retained there."""
        if self.is_up:
            self._client.subscribe(topic, options=SubscribeOptions(qos=1))

    def ignore(self, topic: str) -> None:
        """Hear a topic no more."""
        if self.is_up:
            self._client.unsubscribe(topic)

    def ack(self, number: int) -> None:
        """Tell the broker that a message was carried out."""
        self._client.ack(number, 1)

    def _connected(
        self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any
    ) -> None:
        if reason.is_failure:
            if self.refused != str(reason):
                logger.error("the broker refuses: %s; check user and password", reason)
            self.refused = str(reason)
            return
        self.refused = None
        options = SubscribeOptions(qos=1)
        if self._subscriptions:
            client.subscribe([(topic, options) for topic in self._subscriptions])
        self._up.set()
        client.publish(self._will.topic, HERE, qos=1, retain=True)
        self._on_up()

    def _disconnected(
        self, _client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any
    ) -> None:
        if self._up.is_set():
            logger.info("the broker is gone: %s", reason)
        self._up.clear()

    def _published(
        self, _client: Client, _data: Any, mid: int, reason: Any, _properties: Any
    ) -> None:
        if self._asking:
            with self._answered:
                self._reasons[mid] = not reason.is_failure
                self._answered.notify_all()
        elif reason.is_failure and not self._is_mute:
            self._is_mute = True  # said once: it would be so with each entry
            logger.error(
                "the broker does not let %s publish: user %s may write for another "
                "name only; see the table's name and settings",
                self._client_id,
                self._address.user,
            )

    def _message(self, client: Client, _data: Any, message: MQTTMessage) -> None:
        if self._receive(message.topic, bytes(message.payload), message.mid):
            client.ack(message.mid, message.qos)


def _trust(ca: Path | None) -> ssl.SSLContext:
    """Return whom to believe that it is the broker.

    Raises:
        BadBroker: The file cannot be read.
    """
    try:
        return ssl.create_default_context(cafile=None if ca is None else str(ca))
    except (OSError, ssl.SSLError) as error:
        raise BadBroker(
            f"the broker's authority {ca} cannot be read: {error}; "
            "copy its ca.crt here and name it in DRAGON_TABLE_CLUB_CA"
        ) from error


def _properties(packet: int) -> Properties:
    """Return the properties of a packet of MQTT 5, none set yet."""
    # paho-mqtt 2.1 is typed but for this constructor.
    return Properties(packet)  # type: ignore[no-untyped-call]
