// A node of a circular, doubly linked list. One that is in no list is its own neighbour.

export class ListNode {
  previous: this = this
  next: this = this

  insertBefore(successor: this): void {
    this.previous = successor.previous
    this.next = successor
    this.previous.next = this
    successor.previous = this
  }

  /** Clears its own references, too. */
  unlink(): void {
    this.previous.next = this.next
    this.next.previous = this.previous
    this.previous = this
    this.next = this
  }
}
