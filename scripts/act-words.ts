import type { LanguageRule } from './language-rules.ts'

/**
 * The words for the acts of people. Each act has one word on pages, in notifications, e-mails, the activity and the
 * guides; the patterns find the others. Addresses, events and codes of the API keep theirs: `cancel`.
 */

/** An act with its only word. */
export interface ActWord extends LanguageRule {
  readonly act: string
}

// The words between a verb and its object.
const THE = String.raw`(?:the |an? |your |its |this |their |my )?(?:access )?`

function find(source: string): RegExp {
  return new RegExp(source, 'i')
}

/** Every act that has had several words. */
export const ACT_WORDS: readonly ActWord[] = [
  {
    act: 'The owner or the consumer ends access',
    pattern: find(
      String.raw`\bterminat(?:e|es|ed|ing|ion)\b|\bcancel\w* ${THE}(?:access|agreements?)\b|\b(?:access|agreements?)(?: (?:is|are|was|were))? cancell?ed\b`,
    ),
    instead: 'end access',
  },
  {
    act: 'The consumer withdraws a request',
    pattern: find(String.raw`\b(?:cancel|revok|retract)\w* ${THE}requests?\b`),
    instead: 'withdraw the request',
  },
  {
    act: 'A consumer requests access',
    pattern: find(String.raw`\b(?:ask(?:s|ed|ing)?|apply|applies|applied) for access\b`),
    instead: 'request access',
  },
  {
    act: 'The owner approves a request',
    pattern: find(String.raw`\b(?:accept|grant|confirm)(?:s|ed|ing)? ${THE}requests?\b`),
    instead: 'approve the request',
  },
  {
    act: 'The owner rejects a request',
    pattern: find(
      String.raw`\b(?:declin|deny|denie|refus)\w* ${THE}requests?\b|\brequests? (?:is|are|was|were) (?:declined|denied|refused)\b`,
    ),
    instead: 'reject the request',
  },
  {
    act: 'The owner or the consumer renews access',
    pattern: find(String.raw`\b(?:extend|prolong)(?:s|ed|ing)? ${THE}(?:access|agreements?)\b`),
    instead: 'renew the access',
  },
  {
    act: 'A person deletes an API key',
    pattern: find(String.raw`\b(?:revok|remov)\w* ${THE}(?:API )?keys?\b`),
    instead: 'delete the key',
  },
  {
    act: 'An owner removes a member',
    pattern: find(String.raw`\b(?:delet|expel|kick)\w* ${THE}members?\b`),
    instead: 'remove the member',
  },
  {
    act: 'A person cancels a run',
    pattern: find(String.raw`\b(?:abort|stop|kill)\w* ${THE}runs?\b|\bcancel(?:ed|ing)\b`),
    instead: 'cancel the run, with the spelling cancelled',
  },
  {
    act: 'A person undoes a run',
    pattern: find(String.raw`\b(?:revert|roll(?:s|ed)? back)\w* ${THE}runs?\b`),
    instead: 'undo the run',
  },
  {
    act: 'A person restores a version',
    pattern: find(String.raw`\b(?:reverts?|rolls? back) to\b`),
    instead: 'restore the version',
  },
  {
    act: 'A person signs in and out',
    pattern: find(String.raw`\blog(?:ged|ging|s)? (?:in|out|on|off)\b`),
    instead: 'sign in, sign out',
  },
  {
    act: 'A person discards changes',
    pattern: find(String.raw`\b(?:drop|lose|throw away|abandon) ${THE}changes\b`),
    instead: 'discard changes',
  },
]

/** Returns whether a file has texts that people read in the product. */
export function isProductText(path: string): boolean {
  if (/\.test\.tsx?$/.test(path)) return false
  return /^(web\/|docs\/guides\/|server\/(notices|delivery\/mail|ledger\/activity|people)\/|formats\/record\/)/.test(
    path,
  )
}

/** Returns the texts of elements, which have no quotes: `<Button>End access</Button>`. */
export function readMarkup(text: string): { text: string; line: number }[] {
  return [...text.matchAll(/[>}]([^<>{}=;]*[A-Za-z]{2}[^<>{}=;]*)(?=[<{])/g)].map((match) => ({
    text: match[1] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }))
}
