// What the activation mail says, in the languages of the portal: plain text, and the same as simple HTML (onboarding interface, adminUser.language).
import { linkDaysMax, type PortalLanguage } from '../applications/application';

interface MailWords {
  /** BCP 47, for `lang`. */
  tag: string;
  subject: string;
  subjectFor: string;
  greeting: string;
  intro: string;
  introFor: string;
  button: string;
  lifetime: string;
  caution: string;
  closing: string;
}

const words: Readonly<Record<PortalLanguage, MailWords>> = {
  EN_US: {
    tag: 'en',
    subject: 'Review and sign your application',
    subjectFor: 'Review and sign the application of {company}',
    greeting: 'Hello,',
    intro: 'an application to take payments was prepared for you. Please check it, complete it and sign it here:',
    introFor:
      'an application to take payments was prepared for {company}. Please check it, complete it and sign it here:',
    button: 'Review and sign',
    lifetime: 'The link works for {days} days. Opening it changes nothing.',
    caution: 'Whoever has the link can sign: please do not pass it on. If you expected no such mail, ignore it.',
    closing: 'If the link no longer works, ask the partner who prepared the application for a new one.',
  },
  DA_DK: {
    tag: 'da',
    subject: 'Gennemse og underskriv din ansøgning',
    subjectFor: 'Gennemse og underskriv ansøgningen for {company}',
    greeting: 'Hej',
    intro: 'Der er forberedt en ansøgning om at modtage betalinger til dig. Gennemse, udfyld og underskriv den her:',
    introFor:
      'Der er forberedt en ansøgning om at modtage betalinger for {company}. Gennemse, udfyld og underskriv den her:',
    button: 'Gennemse og underskriv',
    lifetime: 'Linket virker i {days} dage. Det ændrer ikke noget at åbne det.',
    caution: 'Den, der har linket, kan underskrive: giv det ikke videre. Se bort fra mailen, hvis du ikke ventede den.',
    closing: 'Virker linket ikke længere, så bed partneren, der forberedte ansøgningen, om et nyt.',
  },
  SV_SE: {
    tag: 'sv',
    subject: 'Granska och signera din ansökan',
    subjectFor: 'Granska och signera ansökan för {company}',
    greeting: 'Hej,',
    intro: 'en ansökan om att ta emot betalningar har förberetts åt dig. Granska, komplettera och signera den här:',
    introFor:
      'en ansökan om att ta emot betalningar har förberetts för {company}. Granska, komplettera och signera den här:',
    button: 'Granska och signera',
    lifetime: 'Länken fungerar i {days} dagar. Att öppna den ändrar ingenting.',
    caution: 'Den som har länken kan signera: skicka den inte vidare. Bortse från mejlet om du inte väntade dig det.',
    closing: 'Om länken inte längre fungerar, be partnern som förberedde ansökan om en ny.',
  },
  NO_NO: {
    tag: 'nb',
    subject: 'Se gjennom og signer søknaden din',
    subjectFor: 'Se gjennom og signer søknaden for {company}',
    greeting: 'Hei',
    intro: 'Det er klargjort en søknad om å ta imot betalinger for deg. Se gjennom, fyll ut og signer den her:',
    introFor:
      'Det er klargjort en søknad om å ta imot betalinger for {company}. Se gjennom, fyll ut og signer den her:',
    button: 'Se gjennom og signer',
    lifetime: 'Lenken virker i {days} dager. Det endrer ingenting å åpne den.',
    caution: 'Den som har lenken, kan signere: ikke gi den videre. Se bort fra e-posten hvis du ikke ventet den.',
    closing: 'Virker ikke lenken lenger, be partneren som klargjorde søknaden, om en ny.',
  },
  DE_DE: {
    tag: 'de',
    subject: 'Bitte prüfen und unterschreiben Sie Ihren Antrag',
    subjectFor: 'Bitte prüfen und unterschreiben Sie den Antrag für {company}',
    greeting: 'Guten Tag,',
    intro:
      'für Sie wurde ein Antrag zur Annahme von Zahlungen vorbereitet. Bitte prüfen, ergänzen und unterschreiben Sie ihn hier:',
    introFor:
      'für {company} wurde ein Antrag zur Annahme von Zahlungen vorbereitet. Bitte prüfen, ergänzen und unterschreiben Sie ihn hier:',
    button: 'Prüfen und unterschreiben',
    lifetime: 'Der Link gilt {days} Tage. Ihn zu öffnen ändert nichts.',
    caution:
      'Wer den Link hat, kann unterschreiben: Bitte geben Sie ihn nicht weiter. Wenn Sie diese Nachricht nicht erwartet haben, beachten Sie sie nicht.',
    closing:
      'Wenn der Link nicht mehr funktioniert, bitten Sie den Partner, der den Antrag vorbereitet hat, um einen neuen.',
  },
};

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** The activation mail; `companyName` may hold anything that a partner typed. */
export function activationMail(
  language: PortalLanguage,
  { companyName, link }: { companyName: string | null; link: string },
): MailText {
  const said = words[language];
  const company = (companyName ?? '').replace(/\s+/g, ' ').trim();
  const filled = (text: string) => text.replace('{days}', String(linkDaysMax)).replace('{company}', () => company);
  const subject = filled(company ? said.subjectFor : said.subject);
  const intro = filled(company ? said.introFor : said.intro);
  const lifetime = filled(said.lifetime);
  const text = [said.greeting, intro, link, `${lifetime} ${said.caution}`, said.closing].join('\n\n');
  const paragraph = (content: string) => `<p>${content}</p>`;
  const button = `<a href="${escaped(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2f48d8;color:#ffffff;font-weight:bold;text-decoration:none">${escaped(said.button)}</a>`;
  const html = [
    `<!doctype html><html lang="${said.tag}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b2030;background:#ffffff"><div style="max-width:34em">',
    ...[said.greeting, intro].map((content) => paragraph(escaped(content))),
    paragraph(button),
    paragraph(escaped(`${lifetime} ${said.caution}`)),
    paragraph(escaped(said.closing)),
    '</div></body></html>',
  ].join('\n');
  return { subject, text: `${text}\n`, html: `${html}\n` };
}

function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
