// The bare loop over libnats that workers are compared with: raw_loop ADDRESS fill COUNT, or raw_loop ADDRESS loop COUNT.
// `fill` publishes items of 23 users to `in`; `loop` pulls as many, and publishes each to `raw` when the one before is stored.
// Prints the items per second.
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void check(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "%s: %s\n", what, natsStatus_GetText(status));
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 4) return 64;
    int count = atoi(argv[3]);
    natsConnection *connection = NULL;
    jsCtx *context = NULL;
    check(natsConnection_ConnectTo(&connection, argv[1]), "connecting");
    check(natsConnection_JetStream(&context, connection, NULL), "JetStream");
    double begun = now();
    if (strcmp(argv[2], "fill") == 0) {
        static int numbers[23];
        for (int i = 1; i <= count; i++) {
            char text[128];
            int user = (i * 7919) % 23;
            int size = snprintf(text, sizeof text, "{\"id\": %d, \"user\": \"u%d\", \"n\": %d}", i, user, ++numbers[user]);
            check(js_PublishAsync(context, "in", text, size, NULL), "publishing");
        }
        check(js_PublishAsyncComplete(context, NULL), "publishing");
    } else {
        natsSubscription *subscription = NULL;
        check(js_PullSubscribe(&subscription, context, "in", "raw", NULL, NULL, NULL), "subscribing");
        for (int done = 0; done < count;) {
            natsMsgList list;
            check(natsSubscription_Fetch(&list, subscription, 256, 5000, NULL), "fetching");
            for (int i = 0; i < list.Count; i++, done++) {
                natsMsg *message = list.Msgs[i];
                check(js_Publish(NULL, context, "raw", natsMsg_GetData(message), natsMsg_GetDataLength(message), NULL, NULL),
                      "publishing");
                natsMsg_Ack(message, NULL);
            }
            natsMsgList_Destroy(&list);
        }
    }
    printf("%.0f\n", count / (now() - begun));
    return 0;
}
