package main

import "os"

var limit = 3

type Node struct{ next *Node }

func (n *Node) Walk(visit func(*Node) bool) error {
	for p := n; p != nil; p = p.next {
		if ok := visit(p); !ok {
			return nil
		}
	}
	for _, name := range []string{"a", "b"} {
		switch name {
		case "a":
			open(name, 1)
			fallthrough
		case "b":
			closeIt(name, 1)
		}
	}
	defer func() {
		done(1)
	}()
	if limit > 2 {
		os.Exit(2)
	}
	return nil
}
