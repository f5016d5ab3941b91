/**
 * Domains in which everyone can get an e-mail address, so that none is the domain of an organization. They are those of
 * the public mail services in their own documentation, among them the ones that Gmail, Outlook.com, Yahoo, iCloud, GMX,
 * WEB.DE, Proton and Yandex list as their domains. A domain that is missing still needs a proof wherever there are
 * several organizations.
 */
const PUBLIC_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  `
  gmail.com googlemail.com
  outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.at outlook.be outlook.dk outlook.cz outlook.jp
  outlook.kr outlook.in outlook.com.br outlook.com.au hotmail.com hotmail.de hotmail.fr hotmail.it hotmail.es
  hotmail.co.uk hotmail.nl hotmail.be hotmail.se hotmail.dk hotmail.com.br live.com live.de live.fr live.nl live.it
  live.be live.se live.dk live.no live.co.uk live.com.au msn.com passport.com
  yahoo.com yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.com.br yahoo.com.au yahoo.ca
  yahoo.com.mx yahoo.com.ar yahoo.in yahoo.se yahoo.no yahoo.dk yahoo.pl yahoo.ie ymail.com rocketmail.com
  myyahoo.com aol.com aim.com aol.de aol.co.uk verizon.net
  icloud.com me.com mac.com privaterelay.appleid.com
  gmx.de gmx.net gmx.at gmx.ch gmx.com gmx.eu gmx.org gmx.info gmx.biz gmx.fr gmx.co.uk gmx.es gmx.us
  web.de email.de mail.com email.com usa.com myself.com consultant.com post.com europe.com asia.com iname.com
  writeme.com dr.com engineer.com cheerful.com techie.com linuxmail.org
  t-online.de magenta.de freenet.de arcor.de vodafone.de vodafonemail.de kabelmail.de o2online.de o2mail.de online.de
  1und1.de posteo.de posteo.net mailbox.org mail.de tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me
  proton.me protonmail.com protonmail.ch pm.me hushmail.com startmail.com runbox.com fastmail.com fastmail.fm
  zoho.com zohomail.com zohomail.eu
  yandex.ru yandex.com yandex.by yandex.kz yandex.ua ya.ru mail.ru bk.ru list.ru inbox.ru internet.ru rambler.ru
  ukr.net i.ua seznam.cz email.cz post.cz centrum.cz wp.pl o2.pl onet.pl op.pl interia.pl poczta.fm gazeta.pl tlen.pl
  freemail.hu citromail.hu abv.bg mail.bg azet.sk zoznam.sk centrum.sk net.hr siol.net inbox.lv inbox.lt mail.ee
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr
  libero.it virgilio.it tiscali.it alice.it tin.it tim.it fastwebnet.it inwind.it iol.it
  telefonica.net terra.es sapo.pt clix.pt
  ziggo.nl kpnmail.nl planet.nl home.nl hetnet.nl xs4all.nl telenet.be skynet.be proximus.be scarlet.be
  bluewin.ch hispeed.ch sunrise.ch aon.at chello.at a1.net
  telia.com comhem.se spray.se online.no broadpark.no jubii.dk mail.dk kolumbus.fi luukku.com
  btinternet.com virginmedia.com sky.com talktalk.net ntlworld.com blueyonder.co.uk eircom.net
  comcast.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com netzero.net optonline.net
  rogers.com shaw.ca sympatico.ca videotron.ca telus.net
  bigpond.com optusnet.com.au iinet.net.au xtra.co.nz
  uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com
  qq.com foxmail.com 163.com 126.com yeah.net 188.com sina.com sina.cn sohu.com aliyun.com 139.com 189.cn 21cn.com tom.com
  naver.com daum.net hanmail.net nate.com kakao.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com
  rediffmail.com indiatimes.com sify.com walla.co.il walla.com
  duck.com mozmail.com simplelogin.com anonaddy.me guerrillamail.com mailinator.com trashmail.com yopmail.com
  10minutemail.com temp-mail.org wegwerfmail.de
  `
    .trim()
    .split(/\s+/),
)

/** Returns whether everyone can get an address in a domain, which is in lower case and ASCII. */
export function isPublicMailDomain(domain: string): boolean {
  return PUBLIC_MAIL_DOMAINS.has(domain)
}
