/**
 * Common passwords of leaked lists, in lower case, without the digits and signs that people append: those are removed before the comparison. Some are
 * shorter than a password may be, because longer ones are shortened to them.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password passw0rd p@ssword p@ssw0rd passwort motdepasse contrasena parola senha wachtwoord
  qwerty qwertyuiop qwertyuiopas qwerty123qwerty azerty azertyuiop qwertz qwertzuiop asdfghjkl asdfghjkl; zxcvbnm zxcvbnm,./
  1234567890 12345678910 0123456789 0987654321 123456789a a123456789 123123123123 123456123456 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc
  q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsxcde3 1234qwerasdf 123qweasdzxc abcdefghij abcdefghijk abcd1234abcd abc123abc123
  letmein letmeinnow welcome welcomeback welcometo iloveyou iloveyousomuch iloveyouforever trustno1trustno1 opensesame
  administrator admin adminadmin adminadminadmin superuser rootroot rootrootroot changeme changemenow changeit default defaultpassword
  temporary temppassword mypassword newpassword oldpassword thepassword secret secretsecret topsecret supersecret testtest testtesttest
  testpassword testing demodemo guestguest useruser login loginlogin football baseball basketball superman batmanbatman spiderman
  princess sunshine sunshinesunshine monkeymonkey dragondragon shadowshadow michaelmichael jordanjordan jenniferjennifer starwars pokemonpokemon
  fanfare fanfarefanfare passwordpassword password1password qwertyqwerty qwertyqwertyqwerty hellohello helloworld whatever whateverwhatever
  correcthorsebatterystaple computer computercomputer internet liverpool manchester chelseachelsea arsenalarsenal barcelona realmadrid`.split(
    /\s+/,
  ),
);
