/*
 * The calls of a chat app's screens, from C: the list of chats, a chat, a channel with its relays, joining, a relay.
 *
 *   cc chat_screen.c $(pkg-config --cflags --libs chatdb) -o chat_screen && ./chat_screen STORE
 *
 * It makes a new store, so that the numbers of rows are known: a program that reads JSON takes them from the answers,
 * as Examples/Python does. The answers are printed as they come.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <chatdb.h>

#define RELAY "https://relay.example.org/r#8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM"
#define LINK "https://relay.example.org/c#nB3kZx9rTq0PyLmVwEsUaGhJcDfKoI7e5X2tR4uYbNs"

/* Sends one request, and prints the answer. An error ends the program. */
static void call(chatdb_store store, const char *method, const char *parameters)
{
    /* How an answer begins that is no error. Texts in it may have any words, so the beginning decides. */
    static const char success[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":";
    char request[1024];
    snprintf(request, sizeof request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, parameters);
    char *answer = chatdb_request(store, request);
    if (answer == NULL) {
        fprintf(stderr, "%s: no answer\n", method);
        exit(1);
    }
    printf("%s %s\n", method, answer);
    int failed = strncmp(answer, success, sizeof success - 1) != 0;
    chatdb_free(answer);
    if (failed) exit(1);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: chat_screen STORE\n");
        return 64;
    }
    printf("chatdb %s\n", chatdb_version());

    chatdb_store store;
    char *opened = chatdb_open(arguments[1], "{\"create\": true}", &store);
    printf("open %s\n", opened);
    chatdb_free(opened);
    if (store == 0) return 1;

    call(store, "events.subscribe", "{}");
    call(store, "users.add", "{\"name\": \"alice\", \"preset\": false}");
    call(store, "relays.add", "{\"address\": \"" RELAY "\", \"name\": \"mine\"}");
    call(store, "groups.createChannel", "{\"name\": \"news\", \"chatRelayIds\": [1]}");
    call(store, "items.add",
         "{\"kind\": \"group\", \"id\": 1, \"content\": {\"type\": \"text\", \"text\": \"hello\"}, \"text\": \"hello\"}");

    call(store, "chats.page", "{}");
    call(store, "items.page", "{\"kind\": \"group\", \"id\": 1}");
    call(store, "groups.show", "{\"groupId\": 1}");
    call(store, "groups.prepare", "{\"link\": \"" LINK "\", \"name\": \"talk\"}");
    call(store, "groups.join", "{\"groupId\": 2}");
    /* Shows what deleting the relay would do. The fingerprint of this answer is the consent. */
    call(store, "relays.delete", "{\"chatRelayId\": 1}");

    for (char *event; (event = chatdb_receive(store, 1000)) != NULL;) {
        printf("event %s\n", event);
        chatdb_free(event);
    }
    chatdb_close(store);
    return 0;
}
