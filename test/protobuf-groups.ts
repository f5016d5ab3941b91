// Random proto2 messages with groups in all places where the compiler allows them.

import * as fc from 'fast-check'

/** The fields of a message, by name; those of a group are again fields. */
export interface FieldTree {
  [name: string]: FieldTree | null
}

/** A message with groups, and its fields. */
export interface GroupedMessage {
  text: string
  fields: FieldTree
}

/** A part of a message: the numbers and names that it needs are given when it is written. */
type Part = (context: Context) => GroupedMessage

interface Context {
  /** Returns a number that names and fields of this text have not yet. */
  next: () => number
}

const options = fc.constantFrom(
  '',
  ' [deprecated = true]',
  ' [json_name = "x#", deprecated = false]',
)
const label = fc.constantFrom('optional', 'repeated', 'required')
const space = fc.constantFrom(' ', '\n', ' /* { group */ ', ' // }\n  ')

const { body } = fc.letrec<{ body: Part }>((tie) => {
  const inner = tie('body')
  const scalar = label.map((word): Part => ({ next }) => {
    const number = next()
    return { text: `${word} int32 f${number} = ${number};`, fields: { [`f${number}`]: null } }
  })
  const group = fc.tuple(label, options, space, inner).map(
    ([word, option, gap, part]): Part =>
      (context) =>
        writeGroup(`${word} `, option, gap, part, context),
  )
  const oneof = fc
    .tuple(options, space, fc.array(inner, { minLength: 1, maxLength: 2 }))
    .map(([option, gap, parts]): Part => (context) => {
      const groups = parts.map((part) => writeGroup('', option, gap, part, context))
      const number = context.next()
      const own = { text: `string f${number} = ${number};`, fields: { [`f${number}`]: null } }
      const { text, fields } = join([...groups, own])
      return { text: `oneof o${number} {${gap}${text} }`, fields }
    })
  const rest = fc
    .constantFrom(
      'message N# { optional int32 a = 1; }',
      'enum E# { V# = 0; }',
      'extensions 10000#;',
      'reserved 20000#; reserved "r#";',
      'option no_standard_descriptor_accessor = false;',
      ';',
    )
    .map((text): Part => ({ next }) => ({ text: text.replaceAll('#', `${next()}`), fields: {} }))
  const map: fc.Arbitrary<Part> = fc.constant(({ next }) => {
    const number = next()
    return { text: `map<string, int32> f${number} = ${number};`, fields: { [`f${number}`]: null } }
  })
  const part = fc.oneof({ maxDepth: 3 }, scalar, group, oneof, rest, map)
  return {
    body: fc.array(part, { maxLength: 4 }).map(
      (parts): Part =>
        (context) =>
          join(parts.map((one) => one(context))),
    ),
  }
})

function writeGroup(
  start: string,
  option: string,
  gap: string,
  part: Part,
  context: Context,
): GroupedMessage {
  const number = context.next()
  const { text, fields } = part(context)
  return {
    text: `${start}group${gap}MyGroup_${number}${gap}= ${number}${option.replace('#', `${number}`)}${gap}{ ${text} }`,
    fields: { [`mygroup_${number}`]: fields },
  }
}

function join(parts: readonly GroupedMessage[]): GroupedMessage {
  const fields: FieldTree = Object.assign({}, ...parts.map((part) => part.fields))
  return { text: parts.map(({ text }) => text).join(' '), fields }
}

/** Generates proto2 texts with one message `M` that has groups, also as extensions, and its fields. */
export const groupedMessages: fc.Arbitrary<GroupedMessage> = fc
  .tuple(body, fc.option(body))
  .map(([own, extension]) => {
    let last = 0
    const context: Context = { next: () => (last += 1) }
    const { text, fields } = own(context)
    const extended = extension && writeGroup('optional ', '', ' ', extension, context)
    const extensions = extended ? `extensions 1 to max; extend M { ${extended.text} }` : ''
    return {
      text: `syntax = "proto2";\nmessage M { ${extended ? extensions : text} }\n`,
      fields: extended ? prefixed(extended.fields) : fields,
    }
  })

// The JSON form of Protobuf names extensions so.
function prefixed(fields: FieldTree): FieldTree {
  return Object.fromEntries(Object.entries(fields).map(([name, tree]) => [`[M.${name}]`, tree]))
}
