// A Huffman coder: frequencies, heap, canonical codes, encode, decode, compare.
// stdin: it was the best of times, it was the worst of times, it was the age of wisdom,
// stdin: it was the age of foolishness, it was the epoch of belief
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { unsigned long weight; int symbol, left, right; };
static struct node nodes[600];
static int heap[600], heap_size, node_count;

static int less(int a, int b) {
    return nodes[a].weight != nodes[b].weight ? nodes[a].weight < nodes[b].weight : a < b;
}
static void push(int n) {
    int i = heap_size++;
    while (i && less(n, heap[(i - 1) / 2])) heap[i] = heap[(i - 1) / 2], i = (i - 1) / 2;
    heap[i] = n;
}
static int pop(void) {
    int top = heap[0], n = heap[--heap_size], i = 0;
    for (int c; (c = 2 * i + 1) < heap_size; i = c) {
        if (c + 1 < heap_size && less(heap[c + 1], heap[c])) c++;
        if (!less(heap[c], n)) break;
        heap[i] = heap[c];
    }
    heap[i] = n;
    return top;
}

static unsigned char length[256];
static unsigned code[256];
static void measure(int n, int depth) {
    if (nodes[n].symbol >= 0) { length[nodes[n].symbol] = (unsigned char)(depth ? depth : 1); return; }
    measure(nodes[n].left, depth + 1), measure(nodes[n].right, depth + 1);
}

static unsigned char out[4096];
static unsigned long bits;
static void put(unsigned value, int n) {
    while (n--) {
        if (value >> n & 1) out[bits >> 3] |= (unsigned char)(0x80 >> (bits & 7));
        bits++;
    }
}

int main(void) {
    static unsigned char text[2000], back[2000];
    size_t size = fread(text, 1, sizeof text, stdin), n = 0;
    unsigned long counts[256] = {0};
    for (size_t i = 0; i < size; i++) counts[text[i]]++;
    for (int s = 0; s < 256; s++)
        if (counts[s]) nodes[node_count] = (struct node){counts[s], s, -1, -1}, push(node_count++);
    while (heap_size > 1) {
        int a = pop(), b = pop();
        nodes[node_count] = (struct node){nodes[a].weight + nodes[b].weight, -1, a, b};
        push(node_count++);
    }
    measure(heap[0], 0);
    unsigned next = 0;
    for (int l = 1; l < 32; l++, next <<= 1)
        for (int s = 0; s < 256; s++)
            if (length[s] == l) code[s] = next++;
    for (int s = 0; s < 256; s++) {
        if (!length[s]) continue;
        printf(s < 33 ? "%02x " : "%c  ", s);
        for (int b = length[s] - 1; b >= 0; b--) printf("%d", code[s] >> b & 1);
        printf("\n");
    }
    for (size_t i = 0; i < size; i++) put(code[text[i]], length[text[i]]);
    for (unsigned long at = 0; at < bits;) {
        unsigned value = 0;
        for (int l = 1;; l++) {
            value = value << 1 | (out[at >> 3] >> (7 - (at & 7)) & 1);
            at++;
            int found = -1;
            for (int s = 0; s < 256; s++) if (length[s] == l && code[s] == value) found = s;
            if (found >= 0) { back[n++] = (unsigned char)found; break; }
        }
    }
    unsigned hash = 0;
    for (unsigned long i = 0; i <= bits >> 3; i++) hash = hash * 31 + out[i];
    printf("%zu bytes, %lu bits, %08x, %s\n", size, bits, hash, n == size && !memcmp(text, back, n) ? "same" : "different");
    return 0;
}
