import type { CHANNEL_TYPES } from '../../../formats/record/plain-kinds/notification-channel.ts'
import { cleanLine } from '../../delivery/mail/mail-text.ts'

/** A chat system. */
export type ChatSystem = (typeof CHANNEL_TYPES)[number]

/** A message to the channel of a team. Texts may contain anything; each system gets them as text, not as markup. */
export interface ChatMessage {
  /** One line: what happened. */
  title: string
  /** Further sentences. */
  detail: string
  link: { label: string; url: string }
  /** Why the channel gets it, and where to switch it off. */
  footer: string
}

const TITLE_CHARACTERS_MAX = 140
const DETAIL_CHARACTERS_MAX = 2000
const FOOTER_CHARACTERS_MAX = 300

const BUILDERS: Readonly<Record<ChatSystem, (message: ChatMessage) => object>> = {
  slack: toSlackMessage,
  teams: toTeamsMessage,
  googlechat: toGoogleChatMessage,
}

/** Creates the body of the request that posts a message, as JSON. */
export function toChatBody(system: ChatSystem, message: ChatMessage): string {
  const { title, detail, link, footer } = message
  const cleaned = {
    title: cleanLine(title, TITLE_CHARACTERS_MAX),
    detail: cleanLine(detail, DETAIL_CHARACTERS_MAX),
    link: { label: cleanLine(link.label, TITLE_CHARACTERS_MAX), url: link.url },
    footer: cleanLine(footer, FOOTER_CHARACTERS_MAX),
  }
  return JSON.stringify(BUILDERS[system](cleaned))
}

// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and
// https://docs.slack.dev/reference/block-kit/blocks: a header has at most 150 characters, a section 3000. Texts of the type
// `plain_text` contain no markup; elsewhere `&`, `<` and `>` are escaped. A button would need an app that is configured for
// interaction, so the link is a text.
function toSlackMessage({ title, detail, link, footer }: ChatMessage): object {
  return {
    text: escapeMarkup(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: toPlainText(title) },
      ...(detail === '' ? [] : [{ type: 'section', text: toPlainText(detail) }]),
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `<${escapeMarkup(link.url)}|${escapeMarkup(link.label.replaceAll('|', ' '))}>`,
        },
      },
      { type: 'context', elements: [toPlainText(footer)] },
    ],
  }
}

// https://learn.microsoft.com/en-us/connectors/teams/#microsoft-teams-webhook: an Adaptive Card in a message. A TextBlock
// would interpret Markdown, a TextRun does not.
function toTeamsMessage({ title, detail, link, footer }: ChatMessage): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            toTextBlock(title, { weight: 'Bolder', size: 'Medium' }),
            ...(detail === '' ? [] : [toTextBlock(detail, {})]),
            toTextBlock(footer, { size: 'Small', isSubtle: true }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
        },
      },
    ],
  }
}

// https://developers.google.com/workspace/chat/quickstart/webhooks and
// https://developers.google.com/workspace/chat/api/reference/rest/v1/cards: text paragraphs interpret a few HTML tags. There
// is no `text`, in which `<users/all>` would mention every member of the space.
function toGoogleChatMessage({ title, detail, link, footer }: ChatMessage): object {
  return {
    fallbackText: title,
    cardsV2: [
      {
        cardId: 'notification',
        card: {
          header: { title },
          sections: [
            {
              widgets: [
                ...(detail === '' ? [] : [toTextParagraph(detail)]),
                {
                  buttonList: {
                    buttons: [{ text: link.label, onClick: { openLink: { url: link.url } } }],
                  },
                },
                toTextParagraph(footer),
              ],
            },
          ],
        },
      },
    ],
  }
}

function toPlainText(text: string): object {
  return { type: 'plain_text', text, emoji: false }
}

function toTextBlock(text: string, style: object): object {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] }
}

function toTextParagraph(text: string): object {
  return { textParagraph: { text: escapeMarkup(text) } }
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
