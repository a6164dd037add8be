/* Prints elements, one a line, those of a group indented. */

#include "tlv.h"

#include <inttypes.h>
#include <stdio.h>

static const char *show_name(const struct element *element)
{
    for (size_t i = 0; i < element->length; i++)
        if (element->value[i] < ' ' || element->value[i] > '~')
            return "bad name";
    printf("name \"%.*s\"\n", (int)element->length, (const char *)element->value);
    return NULL;
}

static const char *show_integer(const struct element *element)
{
    if (element->length == 0 || element->length > 8)
        return "bad integer";
    printf("integer %" PRId64 "\n", signed_value(element->value, element->length));
    return NULL;
}

static const char *show_point(const struct element *element)
{
    if (element->length != 4)
        return "bad point";
    printf("point %" PRIu64 " %" PRIu64 "\n", unsigned_value(element->value, 2),
           unsigned_value(element->value + 2, 2));
    return NULL;
}

static const char *show_group(const struct element *element, int depth)
{
    struct reader inner = {element->value, element->value + element->length, NULL};
    if (depth == MAX_DEPTH)
        return "too deep";
    printf("group\n");
    return show_elements(inner, depth + 1);
}

static const char *show_element(const struct element *element, int depth)
{
    printf("%*s", 2 * depth, "");
    switch (element->tag) {
    case TAG_NAME:
        return show_name(element);
    case TAG_INTEGER:
        return show_integer(element);
    case TAG_POINT:
        return show_point(element);
    case TAG_GROUP:
        return show_group(element, depth);
    default:
        printf("tag %d, %u bytes\n", element->tag, element->length);
        return NULL;
    }
}

const char *show_elements(struct reader reader, int depth)
{
    struct element element;
    while (next_element(&reader, &element)) {
        const char *problem = show_element(&element, depth);
        if (problem)
            return problem;
    }
    return reader.problem;
}
