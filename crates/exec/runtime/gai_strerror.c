/* Texts of the errors of name resolution. */

const char *gai_strerror(int number) {
    static const char *const texts[12] = {
        NULL,
        "Bad value for ai_flags",
        "Name or service not known",
        "Temporary failure in name resolution",
        "Non-recoverable failure in name resolution",
        "No address associated with hostname",
        "ai_family not supported",
        "ai_socktype not supported",
        "Servname not supported for ai_socktype",
        "Address family for hostname not supported",
        "Memory allocation failure",
        "System error",
    };
    static const char *const request_texts[6] = {
        "Processing request in progress", "Request canceled",
        "Request not canceled",           "All requests done",
        "Interrupted by a signal",        "Parameter string not correctly encoded",
    };
    if (number < 0 && number >= -11)
        return texts[-number];
    if (number <= -100 && number >= -105)
        return request_texts[-100 - number];
    return "Unknown error";
}

const char *hstrerror(int number) {
    static const char *const texts[5] = {
        "Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure",
        "Unknown server error",        "No address associated with name",
    };
    if (number < 0)
        return "Resolver internal error";
    return number < 5 ? texts[number] : "Unknown resolver error";
}
