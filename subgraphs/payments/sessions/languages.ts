// Languages as family B writes them: ISO 639-2, bibliographic and terminology codes alike (2.5 of the decision register).

const codes =
  'aar abk ace ach ada ady afa afh afr ain aka akk alb ale alg alt amh ang anp apa ara arc arg arm arn arp art arw asm ast ath aus ' +
  'ava ave awa aym aze bad bai bak bal bam ban baq bas bat bej bel bem ben ber bho bih bik bin bis bla bnt bod bos bra bre btk bua ' +
  'bug bul bur byn cad cai car cat cau ceb cel ces cha chb che chg chi chk chm chn cho chp chr chu chv chy cmc cnr cop cor cos cpe ' +
  'cpf cpp cre crh crp csb cus cym cze dak dan dar day del den deu dgr din div doi dra dsb dua dum dut dyu dzo efi egy eka ell elx ' +
  'eng enm epo est eus ewe ewo fan fao fas fat fij fil fin fiu fon fra fre frm fro frr frs fry ful fur gaa gay gba gem geo ger gez ' +
  'gil gla gle glg glv gmh goh gon gor got grb grc gre grn gsw guj gwi hai hat hau haw heb her hil him hin hit hmn hmo hrv hsb hun ' +
  'hup hye iba ibo ice ido iii ijo iku ile ilo ina inc ind ine inh ipk ira iro isl ita jav jbo jpn jpr jrb kaa kab kac kal kam kan ' +
  'kar kas kat kau kaw kaz kbd kha khi khm kho kik kin kir kmb kok kom kon kor kos kpe krc krl kro kru kua kum kur kut lad lah lam ' +
  'lao lat lav lez lim lin lit lol loz ltz lua lub lug lui lun luo lus mac mad mag mah mai mak mal man mao map mar mas may mdf mdr ' +
  'men mga mic min mis mkd mkh mlg mlt mnc mni mno moh mon mos mri msa mul mun mus mwl mwr mya myn myv nah nai nap nau nav nbl nde ' +
  'ndo nds nep new nia nic niu nld nno nob nog non nor nqo nso nub nwc nya nym nyn nyo nzi oci oji ori orm osa oss ota oto paa pag ' +
  'pal pam pan pap pau peo per phi phn pli pol pon por pra pro pus que raj rap rar roa roh rom ron rum run rup rus sad sag sah sai ' +
  'sal sam san sas sat scn sco sel sem sga sgn shn sid sin sio sit sla slk slo slv sma sme smi smj smn smo sms sna snd snk sog som ' +
  'son sot spa sqi srd srn srp srr ssa ssw suk sun sus sux swa swe syc syr tah tai tam tat tel tem ter tet tgk tgl tha tib tig tir ' +
  'tiv tkl tlh tli tmh tog ton tpi tsi tsn tso tuk tum tup tur tut tvl twi tyv udm uga uig ukr umb und urd uzb vai ven vie vol vot ' +
  'wak wal war was wel wen wln wol xal xho yao yap yid yor ypk zap zbl zen zgh zha zho znd zul zun zxx zza';

const known = new Set(codes.split(' '));

export const languages: readonly string[] = [...known];

/** Any code of ISO 639-2 in either case, `qaa` to `qtz` for private use included. */
export function isLanguage(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const code = value.toLowerCase();
  return known.has(code) || /^q[a-t][a-z]$/.test(code);
}

/** The bibliographic code where the terminology code is another one. */
const bibliographic: Readonly<Record<string, string>> = {
  sqi: 'alb',
  hye: 'arm',
  eus: 'baq',
  mya: 'bur',
  zho: 'chi',
  ces: 'cze',
  nld: 'dut',
  fra: 'fre',
  kat: 'geo',
  deu: 'ger',
  ell: 'gre',
  isl: 'ice',
  mkd: 'mac',
  mri: 'mao',
  msa: 'may',
  fas: 'per',
  ron: 'rum',
  slk: 'slo',
  bod: 'tib',
  cym: 'wel',
};

/** Whether two codes mean one language, whatever their case and spelling: `DEU` is `ger`. */
export function isSameLanguage(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

function canonical(code: string): string {
  const lower = code.toLowerCase();
  return Object.hasOwn(bibliographic, lower) ? (bibliographic[lower] ?? lower) : lower;
}

/** ISO 639-2 by ISO 3166-1 alpha-2, for a session that names no language. */
const byCountry: Readonly<Record<string, string>> = {
  AT: 'deu',
  BE: 'nld',
  CH: 'deu',
  DE: 'deu',
  DK: 'dan',
  EE: 'est',
  ES: 'spa',
  FI: 'fin',
  FR: 'fra',
  IT: 'ita',
  LT: 'lit',
  LU: 'fra',
  LV: 'lav',
  NL: 'nld',
  NO: 'nob',
  PL: 'pol',
  PT: 'por',
  SE: 'swe',
};

/** The language of a merchant's country; English where none is listed. */
export function languageOfCountry(country: string): string {
  return byCountry[country] ?? 'eng';
}
