// Which messages of a .proto text are models: those that no other one is made of.

import protobuf from 'protobufjs'

/** A message as the parser gives it. */
export type Message = protobuf.Type

/** Gives all messages that stand in no other message, in the order of the text. */
export function outerMessages(namespace: protobuf.NamespaceBase): Message[] {
  return namespace.nestedArray.flatMap((nested) => {
    if (nested instanceof protobuf.Type) return [nested]
    return nested instanceof protobuf.Namespace ? outerMessages(nested) : []
  })
}

type Named = Message | protobuf.Enum

/**
 * Resolves the names of types in one .proto text. The lookup of the library remembers every unknown name in every
 * namespace, so its time and memory grow with messages times names.
 */
export class TypeNames {
  readonly #root: protobuf.Root
  // By the last part of their names, the first one in the text.
  readonly #bySimpleName = new Map<string, Named>()

  constructor(root: protobuf.Root) {
    this.#root = root
    const waiting: protobuf.NamespaceBase[] = [root]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const nested of next.nestedArray) {
        if (isNamed(nested) && !this.#bySimpleName.has(nested.name)) {
          this.#bySimpleName.set(nested.name, nested)
        }
        if (nested instanceof protobuf.Namespace) waiting.push(nested)
      }
    }
  }

  /** Returns the message or enumeration that a field's type names; undefined if the text does not define it. */
  typeOf({ parent, type }: protobuf.Field): Named | undefined {
    const [first = '', ...rest] = type.split('.')
    if (first === '') return typeAt(this.#root, rest)
    for (let scope = parent; scope !== null; scope = scope.parent) {
      const found = typeAt(scope, [first, ...rest])
      if (found !== undefined) return found
    }
    // The compiler wants a path to a nested message from outside; people who never compile leave it out.
    return rest.length === 0 ? this.#bySimpleName.get(first) : undefined
  }
}

function isNamed(object: protobuf.ReflectionObject | undefined): object is Named {
  return object instanceof protobuf.Type || object instanceof protobuf.Enum
}

function typeAt(scope: protobuf.NamespaceBase, path: readonly string[]): Named | undefined {
  let at: protobuf.ReflectionObject | undefined = scope
  for (const name of path) {
    const nested: protobuf.NamespaceBase['nested'] =
      at instanceof protobuf.Namespace ? at.nested : undefined
    at = nested !== undefined && Object.hasOwn(nested, name) ? nested[name] : undefined
    if (at === undefined) return undefined
  }
  return isNamed(at) ? at : undefined
}

/** Lists the fields that `extend` adds to messages of this text or of another one, in no particular order. */
export function extensionFields(root: protobuf.Root): protobuf.Field[] {
  const fields: protobuf.Field[] = []
  const waiting: protobuf.NamespaceBase[] = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const nested of next.nestedArray) {
      if (nested instanceof protobuf.Field) fields.push(nested)
      if (nested instanceof protobuf.Namespace) waiting.push(nested)
    }
  }
  return fields
}

/** Gives the messages that are models: those not used by another one; of messages that only use each other the first. */
export function modelMessages(messages: readonly Message[], names: TypeNames): Message[] {
  const uses = new Map(messages.map((message) => [message, usedBy(message, names)]))
  const used = new Set([...uses.values()].flatMap((others) => [...others]))
  const reached = new Set<Message>()
  const models = new Set<Message>()
  const isFree = (message: Message): boolean => !used.has(message)
  for (const message of [...messages.filter(isFree), ...messages]) {
    if (reached.has(message)) continue
    models.add(message)
    const waiting = [message]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.size === reached.add(next).size) continue
      waiting.push(...(uses.get(next) ?? []))
    }
  }
  return messages.filter((message) => models.has(message))
}

// The outer messages that a message and those inside it have fields of.
function usedBy(message: Message, names: TypeNames): Set<Message> {
  const used = new Set<Message>()
  const waiting = [message]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const field of next.fieldsArray) {
      const type = names.typeOf(field)
      if (type instanceof protobuf.Type) used.add(outermost(type))
    }
    for (const nested of next.nestedArray) if (nested instanceof protobuf.Type) waiting.push(nested)
  }
  return used
}

function outermost(message: Message): Message {
  let outer = message
  while (outer.parent instanceof protobuf.Type) outer = outer.parent
  return outer
}
