"""Other words."""
import os
LIMIT = 4

class Reader:
    size = 4

    def read(self, path):
        try:
            with open(path) as file:
                data = file.read()
        except OSError as error:
            log(error, path)
            return None
        else:
            seen(path)
        finally:
            done()
        for line in data.splitlines():
            if not line:
                continue
            elif line == "end": break
            self.take(line)
        else:
            missing(1)
        while True:
            if self.step(): return data

    def take(self, line):
        match line:
            case "a":
                first()
            case _:
                rest(1)
