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
			open(name)
			fallthrough
		case "b":
			closeIt(name)
		}
	}
	defer func() {
		done()
	}()
	if limit > 2 {
		os.Exit(1)
	}
	return nil
}
