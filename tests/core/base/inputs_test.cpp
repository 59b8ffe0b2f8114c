#include "attn/base/inputs.hpp"

#include "attn/attention/attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("inputs");

namespace {

std::string joined(std::string_view text) {
  std::string all;
  for (const std::string& token : tokenize(text)) all += (all.empty() ? "" : "|") + token;
  return all;
}

}  // namespace

TEST_CASE("text is split into words and marks") {
  CHECK(joined("The cat sat.") == "The|cat|sat|.");
  CHECK(joined("  don't 'quote' it,  please ") == "don't|'|quote|'|it|,|please");
  CHECK(joined("a-b_c 3.14") == "a|-|b_c|3|.|14");
  CHECK(joined("\t\n\r\n").empty());
  CHECK(joined("").empty());
}

TEST_CASE("text beyond ASCII is split into words and marks too") {
  CHECK(joined("Grüße, naïve façade") == "Grüße|,|naïve|façade");
  CHECK(joined("注意力 机制") == "注|意|力|机|制");
  CHECK(joined("l’attention «est» là…") == "l’attention|«|est|»|là|…");
  CHECK(joined("a\xc2\xa0"
               "b") == "a|b");
}

TEST_CASE("a mark of any script is a token by itself") {
  CHECK(joined("？OK") == "？|OK");
  CHECK(joined("حال شما چیست؟") == "حال|شما|چیست|؟");
  CHECK(joined("यह है। अच्छा॥") == "यह|है|।|अच्छा|॥");
  CHECK(joined("你好。「是」、") == "你|好|。|「|是|」|、");
  CHECK(joined("Ինչ՞ու։ ሰላም፧ ကောင်း။ សួស្តី។ ᠮᠣᠩ᠂") == "Ինչ|՞|ու|։|ሰላም|፧|ကောင်း|။|សួស្តី|។|ᠮᠣᠩ|᠂");
  CHECK(joined("¿qué? ⟨x⟩ ＋１ €5 a→b x² ½ no.º b_c") ==
        "¿|qué|?|⟨|x|⟩|＋|１|€|5|a|→|b|x²|½|no|.|º|b_c");
  CHECK(joined("ガ\xe3\x82\xab\xe3\x82\x99・ラー漢字々") == "ガ|カ\xe3\x82\x99|・|ラ|ー|漢|字|々");
}

TEST_CASE("what is not seen is no token, and joiners stay where words need them") {
  // U+202A … U+202E, U+2060 … U+2069, U+00AD, U+200E, U+FEFF
  const char* const unseen[] = {"\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad",
                                "\xe2\x80\xae", "\xe2\x81\xa0", "\xe2\x81\xa1", "\xe2\x81\xa6",
                                "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9", "\xc2\xad",
                                "\xe2\x80\x8e", "\xef\xbb\xbf", "\xd8\x9c"};
  for (const std::string one : unseen) {
    CHECK(joined(one).empty());
    CHECK(joined(one + "ab" + one + " c" + one + "d ." + one) == "ab|cd|.");
  }
  // U+200B separates, as in Khmer.
  CHECK(joined("a\xe2\x80\x8b"
               "b") == "a|b");
  // می‌خواهم keeps its U+200C; at the edge of a word it does nothing. क्‍ keeps its
  // U+200D.
  CHECK(joined("می\xe2\x80\x8cخواهم") == "می\xe2\x80\x8cخواهم");
  CHECK(joined("\xe2\x80\x8cمی\xe2\x80\x8c خواهم") == "می|خواهم");
  CHECK(joined("क्\xe2\x80\x8d ।") == "क्\xe2\x80\x8d|।");
  // Emoji: several people, a colour, a keycap, flags of two letters and of tags, each one token.
  CHECK(joined("ok👨\xe2\x80\x8d👩\xe2\x80\x8d👧👍🏽!") ==
        "ok|👨\xe2\x80\x8d👩\xe2\x80\x8d👧|👍🏽|!");
  CHECK(joined("❤\xef\xb8\x8f 1\xef\xb8\x8f\xe2\x83\xa3 🇩🇪🇫🇷🇮") ==
        "❤\xef\xb8\x8f|1\xef\xb8\x8f\xe2\x83\xa3|🇩🇪|🇫🇷|🇮");
  const std::string scotland =
      "🏴\xf3\xa0\x81\xa7\xf3\xa0\x81\xa2\xf3\xa0\x81\xb3\xf3\xa0\x81\xa3\xf3\xa0\x81\xb4\xf3\xa0"
      "\x81\xbf";
  CHECK(joined("a" + scotland + "b") == "a|" + scotland + "|b");
}

TEST_CASE("words are compared without their case, composed or not") {
  const auto same = [](const char* a, const char* b) {
    return caseless_word(a) == caseless_word(b);
  };
  CHECK(same("Über", "über"));
  CHECK(same("Über",
             "u\xcc\x88"
             "ber"));
  CHECK(same("ΣΑΣ", "σας"));
  CHECK(same("ΣΑΣ", "σασ"));
  CHECK(same("GRÜSSE", "Grüße"));
  CHECK(same("ПРИВЕТ", "привет"));
  CHECK(same("ﬁt", "FIT"));
  // Two marks in either order, a syllable and its parts, a character that is another.
  CHECK(same("q\xcc\x87\xcc\xa3", "q\xcc\xa3\xcc\x87"));
  CHECK(same("한", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"));
  CHECK(same("\xe2\x84\xab", "å"));
  CHECK(same("\xce\xb1\xcc\x81", "Ά"));
  CHECK(same("\xe0\xa4\x95\xe0\xa4\xbc", "\xe0\xa5\x98"));
  CHECK_FALSE(same("schon", "schön"));
  CHECK_FALSE(same("ı", "i"));
  CHECK_FALSE(same("می\xe2\x80\x8cخواهم", "میخواهم"));
  // Composed again, so that it is the word that is written.
  CHECK(caseless_word("E\xcc\x81tude") == "étude");
  CHECK(caseless_word("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab") == "한");
  const auto x = text_qkv<double>(
      "Über u\xcc\x88"
      "ber ΣΑΣ σας",
      8, 4, 3, 8);
  const auto y = text_qkv<double>("über über σας ΣΑΣ", 8, 4, 3, 8);
  CHECK_CLOSE(x.Q, y.Q, 0, 0);
  CHECK_CLOSE(x.V, y.V, 0, 0);
}

TEST_CASE("texts in Latin letters are read without tables to the same bits, and no others are") {
  const auto check = [](const std::string& text) {
    CHECK(is_latin_text(text));
    const auto latin = latin_text_qkv<float>(text, 4, 2, 7, 4096);
    const auto full = text_qkv<float>(text, 4, 2, 7, 4096);
    CHECK(latin.tokens == full.tokens);
    CHECK_CLOSE(latin.Q, full.Q, 0, 0);
    CHECK_CLOSE(latin.V, full.V, 0, 0);
  };
  std::vector<std::string> characters;
  for (unsigned c = 0; c < 0x100; ++c) {
    characters.push_back(c < 0x80 ? std::string(1, static_cast<char>(c))
                                  : std::string{static_cast<char>(0xc0 | (c >> 6)),
                                                static_cast<char>(0x80 | (c & 63))});
  }
  for (unsigned c = 0x90; c < 0xa8; ++c) {
    characters.push_back(std::string{'\xe2', '\x80', static_cast<char>(c)});
  }
  // Each alone, within a word, and in the neighbourhood of others.
  for (const std::string& one : characters) check("a" + one + "b " + one + one + " c" + one + " d");
  Rng rng(8);
  for (int round = 0; round < 300; ++round) {
    std::string text = "a ";
    for (int i = 0; i < 30; ++i)
      text += characters[static_cast<std::size_t>(rng.below(characters.size()))];
    check(text);
  }
  for (const char* other :
       {"Ā", "a\xcc\x88", "€", "？", "\xe2\x80\x8b", "\xe2\x80\xa8", "日", "a\xff"}) {
    CHECK_FALSE(is_latin_text(other));
  }
  CHECK(error_of([] { latin_text_qkv<float>("  ", 4, 4, 1, 8); }).argument() == "text");
  CHECK(error_of([] { latin_text_qkv<float>("a b c", 4, 4, 1, 2); }).argument() == "text");
  CHECK(error_of([] { latin_text_qkv<float>("a", 0, 4, 1, 2); }).argument() == "d_k");
}

TEST_CASE("broken UTF-8 becomes replacement characters, never a crash") {
  CHECK(joined("ab\xff"
               "cd") ==
        "ab\xef\xbf\xbd"
        "cd");
  CHECK(joined("\xe2\x82") == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(joined("\xed\xa0\x80").find("\xed") == std::string::npos);
  // Every byte string yields valid tokens: no token is empty, and nothing is thrown.
  Rng rng(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (std::uint64_t left = rng.below(12); left > 0; --left) {
      bytes += static_cast<char>(rng.below(256));
    }
    for (const std::string& token : tokenize(bytes)) CHECK_FALSE(token.empty());
  }
}

TEST_CASE("Gaussian inputs keep Q and K when d_v or n changes") {
  const auto a = gaussian_qkv<float>(6, 4, 3, 9), b = gaussian_qkv<float>(8, 4, 5, 9);
  CHECK_CLOSE(b.Q.topRows(6), a.Q, 0, 0);
  CHECK_CLOSE(b.K.topRows(6), a.K, 0, 0);
  CHECK_FALSE(mismatch(a.Q, a.K, 1e-3, 1e-3).empty());
  CHECK(a.V.cols() == 3);
  CHECK(error_of([] { gaussian_qkv<float>(0, 4, 4, 1); }).argument() == "n");
  CHECK(error_of([] { gaussian_qkv<float>(4, 0, 4, 1); }).argument() == "d_k");
  CHECK(error_of([] { gaussian_qkv<float>(4, 4, 0, 1); }).argument() == "d_v");
}

TEST_CASE("equal words have large scores at any position and in any case") {
  const auto x = text_qkv<float>("the cat saw the dog and the bird saw The fish", 64, 8, 3, 64);
  REQUIRE(x.tokens.size() == 11);
  CHECK(x.Q.rows() == 11);
  CHECK(x.V.cols() == 8);
  const Matrix<> P = attention(x.Q, x.K, x.V).weights;
  double same = 0, other = 0;
  for (const Index j : {0, 3, 6, 9}) same += static_cast<double>(P(3, j)) / 4;
  for (const Index j : {1, 2, 4, 5, 7, 8, 10}) other += static_cast<double>(P(3, j)) / 7;
  CHECK(same > 3 * other);
}

TEST_CASE("a random projection of the same seed is independent of Q, K and V") {
  // If both used one stream, W would equal Q, and random features would look far better than they
  // are.
  const Index n = 64, d = 16;
  const auto x = gaussian_qkv<double>(n, d, d, 5);
  for (const bool orthogonal : {false, true}) {
    const Matrix<double> W = random_projection<double>(n, d, orthogonal, 5);
    for (const Matrix<double>& other : {x.Q, x.K, x.V}) {
      // The correlation of 1024 independent pairs has a deviation of 1/32; the bound is five of
      // them.
      const double correlation = W.cwiseProduct(other).sum() / (W.norm() * other.norm());
      CHECK(std::abs(correlation) < 5.0 / 32);
    }
  }
}

TEST_CASE("entries of a sentence's Q and K have about unit variance") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "w" + std::to_string(i) + " ";
  const auto x = text_qkv<float>(text, 64, 64, 1, 200);
  // The 12 800 entries are correlated within a matrix; 10 % is many standard errors.
  CHECK(x.Q.squaredNorm() / 12800 == doctest::Approx(1).epsilon(0.1));
  CHECK(x.K.squaredNorm() / 12800 == doctest::Approx(1).epsilon(0.1));
}

TEST_CASE("no text and too much text are refused with the count") {
  CHECK(error_of([] { text_qkv<float>("  ", 4, 4, 1, 8); }).seen().text() == "empty");
  const Error error = error_of([] { text_qkv<float>("a b c", 4, 4, 1, 2); });
  CHECK(error.argument() == "text");
  CHECK(error.seen().text() == "3 tokens");
  CHECK(error.wanted().text() == "at most 2");
}

TEST_CASE("a long text has the rows of text_qkv, whichever are asked for") {
  const std::vector<std::string> chapters{"Call me Ishmael. Some years ago\n", "",
                                          "the Grüße, don't", "  \n", "the whale."};
  std::string whole;
  for (const std::string& chapter : chapters) whole += chapter + "\n";
  const auto all = text_qkv<float>(whole, 8, 5, 3, 100);
  const LongText<float> text(chapters, 8, 5, 3);
  REQUIRE(text.tokens() == static_cast<Index>(all.tokens.size()));
  for (Index first = 0; first < text.tokens(); ++first) {
    for (Index last = first; last <= text.tokens(); ++last) {
      const auto rows = text.rows(first, last);
      CHECK_CLOSE(rows.Q, all.Q.middleRows(first, last - first), 1e-6, 1e-6);
      CHECK_CLOSE(rows.K, all.K.middleRows(first, last - first), 1e-6, 1e-6);
      CHECK_CLOSE(rows.V, all.V.middleRows(first, last - first), 1e-6, 1e-6);
    }
  }
}

TEST_CASE("a long text knows its sections and its words as they were written") {
  const LongText<float> text({"Call me  Ishmael.", "", "the\nGrüße", " "}, 4, 4, 1);
  CHECK(text.tokens() == 6);
  CHECK(text.words(0, 3) == "Call me  Ishmael");
  CHECK(text.words(1, 4) == "me  Ishmael.");
  CHECK(text.words(5, 6) == "Grüße");
  // Words of an earlier section are left out.
  CHECK(text.words(2, 6) == "the\nGrüße");
  CHECK(text.words(3, 3).empty());
  CHECK(text.section_of(0) == 0);
  CHECK(text.section_of(3) == 0);
  CHECK(text.section_of(4) == 2);
  CHECK(text.section_of(6) == 2);
  CHECK(error_of([&] { text.words(3, 2); }).argument() == "first");
  CHECK(error_of([&] { text.rows(0, 7); }).argument() == "last");
  CHECK(error_of([] { LongText<float>({" ", ""}, 4, 4, 1); }).argument() == "sections");
  CHECK(error_of([] { LongText<float>({"a"}, 0, 4, 1); }).argument() == "d_k");
}

TEST_SUITE_END();
