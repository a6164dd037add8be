/* Taking a key out of a tree of <search.h>: a removal from a red-black tree,
 * repaired from the bottom up. */

typedef int comparison(const void *, const void *);

struct node {
    const void *key;
    struct node *left;
    struct node *right;
    int is_red;
};

#define MOST_DEPTH 128

static int is_red(const struct node *node) { return node != NULL && node->is_red; }

static void rotate_left(struct node **link) {
    struct node *node = *link, *right = node->right;
    node->right = right->left;
    right->left = node;
    *link = right;
}

static void rotate_right(struct node **link) {
    struct node *node = *link, *left = node->left;
    node->left = left->right;
    left->right = node;
    *link = left;
}

/* The subtree at path[depth] lost a black node. Mends what can be mended at
 * its parent; 0 if the parent's subtree is the one that is short now. */
static int mend(struct node **path[], int *depth, const struct node *short_node) {
    struct node **link = path[*depth - 1], *parent = *link;
    int is_left = parent->left == short_node;
    struct node *sibling = is_left ? parent->right : parent->left;
    if (is_red(sibling)) {
        sibling->is_red = 0;
        parent->is_red = 1;
        if (is_left)
            rotate_left(link);
        else
            rotate_right(link);
        link = path[*depth] = is_left ? &sibling->left : &sibling->right;
        ++*depth;
        sibling = is_left ? parent->right : parent->left;
    }
    struct node *near = is_left ? sibling->left : sibling->right;
    struct node *far = is_left ? sibling->right : sibling->left;
    if (!is_red(near) && !is_red(far)) {
        sibling->is_red = 1;
        return 0;
    }
    if (!is_red(far)) {
        near->is_red = parent->is_red;
        parent->is_red = 0;
        if (is_left) {
            rotate_right(&parent->right);
            rotate_left(link);
        } else {
            rotate_left(&parent->left);
            rotate_right(link);
        }
        return 1;
    }
    sibling->is_red = parent->is_red;
    parent->is_red = 0;
    far->is_red = 0;
    if (is_left)
        rotate_left(link);
    else
        rotate_right(link);
    return 1;
}

static void rebalance(struct node **path[], int depth, struct node *child) {
    while (depth > 0 && !is_red(child)) {
        if (mend(path, &depth, child))
            return;
        child = *path[depth - 1];
        depth--;
    }
    if (child != NULL)
        child->is_red = 0;
}

void *tdelete(const void *key, void **root, comparison *compare) {
    struct node **path[MOST_DEPTH], **link = (struct node **)root;
    int depth = 0;
    if (root == NULL || *link == NULL)
        return NULL;
    for (int order; (order = compare(key, (*link)->key)) != 0;) {
        path[depth++] = link;
        link = order < 0 ? &(*link)->left : &(*link)->right;
        if (*link == NULL)
            return NULL;
    }
    /* The result is the parent, or anything but NULL for the root. */
    void *result = depth > 0 ? (void *)*path[depth - 1] : (void *)*link;
    struct node *target = *link, *unchained = target;
    if (target->left != NULL && target->right != NULL) {
        path[depth++] = link;
        link = &target->right;
        while ((*link)->left != NULL) {
            path[depth++] = link;
            link = &(*link)->left;
        }
        unchained = *link;
    }
    struct node *child = unchained->left != NULL ? unchained->left : unchained->right;
    *link = child;
    if (unchained != target)
        target->key = unchained->key;
    if (!unchained->is_red)
        rebalance(path, depth, child);
    free(unchained);
    return result;
}
