class Bank {
    private int fee(Kind kind) {
        return switch (kind) {
            case SMALL -> 1;
            case LARGE -> { log("large"); yield 5; }
            default -> 2;
        };
    }

    void pay(Account a) throws IOException {
        try (Lock lock = a.lock()) {
            a.take(fee(a.kind));
        } catch (RuntimeException e) {
            warn(e);
        } finally {
            done();
        }
        list.forEach(x -> {
            if (x.old()) return;
            x.send();
        });
    }
}
