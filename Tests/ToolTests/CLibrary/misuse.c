/*
 * Calls every function of chatdb.h in ways that no program should: the process must not end by that.
 *
 *     misuse STORE
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <chatdb.h>

static chatdb_store store;

/* Prints the code of an answer's error, or "result", or "NULL", and releases the answer. */
static void show(const char *call, char *answer)
{
    const char *code = answer == NULL ? NULL : strstr(answer, "\"data\":{\"code\":\"");
    if (answer == NULL)
        printf("%s: NULL\n", call);
    else if (code != NULL)
        printf("%s: %.*s\n", call, (int)strcspn(code + 16, "\""), code + 16);
    else if ((code = strstr(answer, "\"code\":-")) != NULL)
        printf("%s: %.*s\n", call, 6, code + 7);
    else
        printf("%s: result\n", call);
    chatdb_free(answer);
}

static void *reads(void *unused)
{
    for (int i = 0; i < 200; i++) {
        char *answer = chatdb_query(store, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"users.list\"}");
        if (answer == NULL || strstr(answer, "\"result\"") == NULL) exit(3);
        chatdb_free(answer);
    }
    return unused;
}

static void *waits(void *unused)
{
    chatdb_free(chatdb_receive(store, -1));
    return unused;
}

static void *waits_long(void *unused)
{
    chatdb_free(chatdb_receive(store, INT64_MAX));
    return unused;
}

int main(int count, char **arguments)
{
    if (count != 2) return 64;
    chatdb_store other = 42;
    show("open without a path", chatdb_open(NULL, NULL, &other));
    printf("store %d\n", (int)other);
    show("open without a place for the store", chatdb_open(arguments[1], NULL, NULL));
    show("open of a text that is not UTF-8", chatdb_open("\xff\xfe", NULL, &other));
    show("open with options that are not JSON", chatdb_open(arguments[1], "{", &other));
    show("open with an unknown option", chatdb_open(arguments[1], "{\"creat\": true}", &other));
    show("open with an option of another type", chatdb_open(arguments[1], "{\"create\": 1}", &other));
    show("open of a missing store", chatdb_open(arguments[1], NULL, &other));
    show("request to no store", chatdb_request(0, "{}"));
    show("query to an unknown store", chatdb_query(-7, "{}"));
    show("receive from no store", chatdb_receive(99, 1000));
    chatdb_close(99);
    chatdb_free(NULL);

    show("open", chatdb_open(arguments[1], "{\"create\": true}", &store));
    show("request without a text", chatdb_request(store, NULL));
    show("request that is not UTF-8", chatdb_request(store, "\"\xff\""));
    show("request that is not JSON", chatdb_request(store, "hello"));
    show("a notification", chatdb_request(store, "{\"jsonrpc\":\"2.0\",\"method\":\"users.list\"}"));
    show("query that writes",
         chatdb_query(store, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"users.add\",\"params\":{\"name\":\"a\"}}"));
    size_t size = 100u << 20;
    char *large = malloc(size + 1);
    if (large == NULL) return 2;
    memset(large, '[', size);
    large[size] = 0;
    show("request of 100 MiB", chatdb_request(store, large));
    free(large);
    show("receive without events", chatdb_receive(store, 1));
    show("the store is open twice", chatdb_open(arguments[1], NULL, &other));
    chatdb_close(other);

    pthread_t threads[8], waiting;
    for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, reads, NULL);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
    pthread_t forever;
    pthread_create(&waiting, NULL, waits, NULL);
    pthread_create(&forever, NULL, waits_long, NULL);
    chatdb_close(store);
    pthread_join(waiting, NULL);
    pthread_join(forever, NULL);
    chatdb_close(store);
    show("request to a closed store", chatdb_request(store, "{}"));
    return 0;
}
