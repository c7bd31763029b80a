"""The calls of a chat app's screens: its list of chats, a chat, a channel with its relays, joining, and a relay.

    python3 chat_screen.py --library libchatdb.so STORE     opens the store in this process, and makes it if necessary
    python3 chat_screen.py --socket PATH                    asks `chatdb serve --socket PATH -d STORE`

Both do the same calls. Run it twice with one store: a step that finds its result already there goes on.
"""

import argparse

from chatdb import ChatdbError, Library, Socket

RELAY = "https://relay.example.org/r#8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM"
LINK = "https://relay.example.org/c#nB3kZx9rTq0PyLmVwEsUaGhJcDfKoI7e5X2tR4uYbNs"


def main():
    chatdb = connect()
    # From now on, the store says what changes: by this program and by others.
    chatdb.call("events.subscribe")
    profile(chatdb)
    relay = relay_of(chatdb)
    news = channel(chatdb, relay)
    list_of_chats(chatdb)
    chat(chatdb, news)
    channel_info(chatdb, news)
    join(chatdb)
    delete_relay(chatdb, relay)
    events(chatdb)
    chatdb.close()


def connect():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help="the path of libchatdb.so")
    parser.add_argument("--socket", help="the socket of chatdb serve")
    parser.add_argument("store", nargs="?", help="the store, with --library")
    options = parser.parse_args()
    if options.socket and not options.library and not options.store:
        return Socket(options.socket)
    if options.library and options.store and not options.socket:
        # Consent to migrations is an option. This program migrates up without a question, and never down.
        return Library(options.library, options.store, create=True, confirm="yes-up")
    parser.error("give --library and a store, or --socket")


def profile(chatdb):
    """A profile. All calls are about the active one, unless they name another."""
    if not chatdb.call("users.list")["users"]:
        chatdb.call("users.add", name="alice", seed=7)
    users = chatdb.call("users.list")["users"]
    print("profile", next(user["name"] for user in users if user["active"]))


def relay_of(chatdb):
    """A relay of one's own. A relay that is there already is answered, and a deleted one is restored."""
    for relay in chatdb.call("relays.list")["relays"]:
        if relay["address"] == RELAY:
            return relay["chatRelayId"]
    return chatdb.call("relays.add", address=RELAY, name="mine")["relay"]["chatRelayId"]


def channel(chatdb, relay):
    """A channel that uses it."""
    for group in chatdb.call("groups.list")["groups"]:
        if group["name"] == "news":
            return group["groupId"]
    return chatdb.call("groups.createChannel", name="news", chatRelayIds=[relay])["group"]["groupId"]


def list_of_chats(chatdb):
    """The first page of the list. `next` of a page is where the next one begins."""
    page = chatdb.call("chats.page", limit=20)
    for entry in page["chats"]:
        print("chat", entry["kind"], entry["name"], entry["unread"]["items"], "unread")


def chat(chatdb, group):
    """The last items of a chat, after a message was sent."""
    chatdb.call(
        "items.add", kind="group", id=group, content={"type": "text", "text": "hello"}, text="hello")
    for item in chatdb.call("items.page", kind="group", id=group, limit=10)["items"]:
        print("item", item["direction"], item["text"])


def channel_info(chatdb, group):
    """What the page about a channel shows: its relays with their status, and how many of them are active."""
    info = chatdb.call("groups.show", groupId=group)
    for relay in info["relays"]:
        print("relay", relay["shownName"], relay["relayStatus"])
    print("active", info["progress"]["active"], "of", info["progress"]["total"])


def join(chatdb):
    """Joining a channel by its link: what the link means here, the prepared channel, and the start."""
    plan = chatdb.call("groups.plan", link=LINK)
    if plan["plan"] == "ok":
        plan = chatdb.call("groups.prepare", link=LINK, name="talk", relayLinks=[RELAY])
    group = plan["group"]
    if group["nextConnectPrepared"]:
        group = chatdb.call("groups.join", groupId=group["groupId"])["group"]
    print("joining", group["name"])


def delete_relay(chatdb, relay):
    """Deleting a relay that channels use: the first answer shows what would happen, its fingerprint is the consent."""
    shown = chatdb.call("relays.delete", chatRelayId=relay)
    print("channels that use the relay:", shown["channelsUsing"])
    try:
        chatdb.call("relays.delete", chatRelayId=relay, fingerprint="of something else")
    except ChatdbError as error:
        print("refused:", error.code)
    deleted = chatdb.call("relays.delete", chatRelayId=relay, fingerprint=shown["fingerprint"])
    print("relay", deleted["outcome"])


def events(chatdb):
    """What has changed meanwhile."""
    print("events", *sorted({event["method"] for event in chatdb.events(1)}))


if __name__ == "__main__":
    main()
