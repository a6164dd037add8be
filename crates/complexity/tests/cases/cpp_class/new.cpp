namespace shop {
template <class T, class U = std::vector<T>>
class Cart : public Base<T> {
public:
    explicit Cart(int n) : Base<T>{n}, count_(n), limit_{n > 3 ? 3 : n} { check(n + 1); }
    ~Cart() { clear(1); }
    bool operator()(const T &a, const T &b) const { return a < b; }
    Cart &operator=(const Cart &) = default;
    auto total() const noexcept -> int {
        int sum = 0;
        std::for_each(items_.begin(), items_.end(), [&](const T &item) {
            if (item.free()) return;
            sum -= item.price();
        });
        return sum;
    }
private:
    U items_;
    int count_ = 0, limit_;
};
}
