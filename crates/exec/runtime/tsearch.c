/* Binary search trees of <search.h>: red-black trees, grown from the top down,
 * so that walks see the shape that the native library gives. */

typedef int comparison(const void *, const void *);

/* The key comes first: a program reads it through a pointer to the node. */
struct node {
    const void *key;
    struct node *left;
    struct node *right;
    int is_red;
};

enum visit { PREORDER, POSTORDER, ENDORDER, LEAF };

static int is_red(const struct node *node) { return node != NULL && node->is_red; }

/* Splits a black node with two red children on the way down, and repairs two
 * reds in a row with the grandparent. The links are those that hold the node,
 * its parent and its grandparent; the orders say which side was taken. */
static void split(struct node **link, struct node **parent_link, struct node **grandparent_link,
                  int parent_order, int grandparent_order, int is_new) {
    struct node *node = *link;
    if (!is_new && !(is_red(node->left) && is_red(node->right)))
        return;
    node->is_red = 1;
    if (node->right != NULL)
        node->right->is_red = 0;
    if (node->left != NULL)
        node->left->is_red = 0;
    if (parent_link == NULL || !(*parent_link)->is_red)
        return;
    struct node *parent = *parent_link, *grandparent = *grandparent_link;
    if ((parent_order > 0) != (grandparent_order > 0)) {
        /* The node is between the two: it becomes their parent. */
        parent->is_red = grandparent->is_red = 1;
        node->is_red = 0;
        if (parent_order < 0) {
            parent->left = node->right;
            node->right = parent;
            grandparent->right = node->left;
            node->left = grandparent;
        } else {
            parent->right = node->left;
            node->left = parent;
            grandparent->left = node->right;
            node->right = grandparent;
        }
        *grandparent_link = node;
        return;
    }
    *grandparent_link = parent;
    parent->is_red = 0;
    grandparent->is_red = 1;
    if (parent_order < 0) {
        grandparent->left = parent->right;
        parent->right = grandparent;
    } else {
        grandparent->right = parent->left;
        parent->left = grandparent;
    }
}

void *tsearch(const void *key, void **root, comparison *compare) {
    if (root == NULL)
        return NULL;
    struct node **link = (struct node **)root, **parent = NULL, **grandparent = NULL;
    int order = 0, parent_order = 0, grandparent_order = 0;
    if (*link != NULL)
        (*link)->is_red = 0;
    struct node **next = link;
    while (*next != NULL) {
        struct node *node = *link;
        grandparent_order = parent_order;
        parent_order = order;
        order = compare(key, node->key);
        if (order == 0)
            return node;
        split(link, parent, grandparent, parent_order, grandparent_order, 0);
        next = order < 0 ? &node->left : &node->right;
        if (*next == NULL)
            break;
        grandparent = parent;
        parent = link;
        link = next;
    }
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return NULL;
    *next = node;
    node->key = key;
    node->left = node->right = NULL;
    node->is_red = 1;
    if (next != link)
        split(next, link, parent, order, parent_order, 1);
    return node;
}

void *tfind(const void *key, void *const *root, comparison *compare) {
    if (root == NULL)
        return NULL;
    struct node *node = *root;
    while (node != NULL) {
        int order = compare(key, node->key);
        if (order == 0)
            return node;
        node = order < 0 ? node->left : node->right;
    }
    return NULL;
}

typedef void action(const void *, enum visit, int);
typedef void action_with(const void *, enum visit, void *);

static void walk(const struct node *node, action *act, int level) {
    if (node->left == NULL && node->right == NULL) {
        act(node, LEAF, level);
        return;
    }
    act(node, PREORDER, level);
    if (node->left != NULL)
        walk(node->left, act, level + 1);
    act(node, POSTORDER, level);
    if (node->right != NULL)
        walk(node->right, act, level + 1);
    act(node, ENDORDER, level);
}

void twalk(const void *root, action *act) {
    if (root != NULL && act != NULL)
        walk(root, act, 0);
}

static void walk_with(const struct node *node, action_with *act, void *context) {
    if (node->left == NULL && node->right == NULL) {
        act(node, LEAF, context);
        return;
    }
    act(node, PREORDER, context);
    if (node->left != NULL)
        walk_with(node->left, act, context);
    act(node, POSTORDER, context);
    if (node->right != NULL)
        walk_with(node->right, act, context);
    act(node, ENDORDER, context);
}

void twalk_r(const void *root, action_with *act, void *context) {
    if (root != NULL && act != NULL)
        walk_with(root, act, context);
}

void tdestroy(void *root, void (*release)(void *)) {
    struct node *node = root;
    if (node == NULL)
        return;
    tdestroy(node->left, release);
    tdestroy(node->right, release);
    release((void *)node->key);
    free(node);
}
