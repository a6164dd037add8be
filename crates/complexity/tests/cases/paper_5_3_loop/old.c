int drain(struct queue *queue)
{
    int sum = 0;
    while (pending(queue)) {
        if (is_urgent(queue)) {
            sum += 1;
            if (is_full(queue))
                return sum;
        }
        sum += 2;
        if (is_last(queue))
            break;
    }
    return sum;
}
