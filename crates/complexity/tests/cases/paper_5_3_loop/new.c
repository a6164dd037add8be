int drain(struct queue *queue)
{
    int sum = 0;
    while (pending(queue)) {
        if (is_urgent(queue)) {
            sum += 100;
            if (is_full(queue))
                return sum;
        }
        sum += 200;
        if (is_last(queue))
            break;
    }
    return sum;
}
